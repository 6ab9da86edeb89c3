import { strict as assert } from 'node:assert';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import type { Node } from '../../src/ui/servers/tree/treeNodes.ts';
import { pickFrom, withShown } from './shown.ts';
import {
  connected,
  DEMO_SERVERS,
  eventually,
  exportsOf,
  nodeOf,
  toolNodesOf,
  viewNamed,
  withSetting,
  workspaceFile,
} from './support.ts';

const run = (id: string, ...args: unknown[]): Thenable<unknown> =>
  vscode.commands.executeCommand(`mcpSwitchboard.${id}`, ...args);

const mine = { command: 'never-started', disabled: true };

/** The rows of the view *Servers*, without what is below them. */
async function rows(): Promise<readonly string[]> {
  const { tree } = await exportsOf();
  const labelOf = async (node: Node): Promise<string> => {
    const { label } = await tree.getTreeItem(node);
    return typeof label === 'string' ? label : (label?.label ?? '');
  };
  return Promise.all((await tree.getChildren()).map(labelOf));
}

/** The servers of the scope Project, as the view has them. */
async function rowsOfProject(): Promise<readonly string[]> {
  const { host } = await exportsOf();
  const views = host.views.filter(({ definition }) => definition.entry.scope === 'project');
  return views.map(({ definition }) => definition.name);
}

async function textOf(file: vscode.Uri): Promise<string> {
  return Buffer.from(await vscode.workspace.fs.readFile(file)).toString();
}

/** The servers of the file, in its order. */
async function order(): Promise<string> {
  return Object.keys((JSON.parse(await textOf(workspaceFile('.mcp.json'))) as { mcpServers: object }).mcpServers).join(
    ' ',
  );
}

/** While `mine` is a server of the user's. */
async function withMine(body: () => Promise<void>): Promise<void> {
  const { host } = await exportsOf();
  const isThere = (): boolean => host.views.some(({ definition }) => definition.name === 'mine');
  await withSetting('servers', { mine }, async () => {
    await eventually('it is there', isThere);
    await body();
  });
  await eventually('it is gone', () => !isThere());
}

export function viewCommandsSuite(): void {
  describe('commands of the view Servers', () => {
    it('Show as a Flat List and Group by Scope, with servers of two scopes', () =>
      withMine(async () => {
        assert.deepEqual(await rows(), ['Project', 'User']);
        await run('flattenServers');
        assert.deepEqual([...(await rows())].sort(), [...DEMO_SERVERS, 'mine'].sort());
        await run('groupServers');
        assert.deepEqual(await rows(), ['Project', 'User']);
      }));

    it('Clear Server Filter shows all again, also what a filter that fits nothing hides', async () => {
      const { tree } = await exportsOf();
      await (await tree.data()).arrange({ filter: 'nothing like it' });
      assert.deepEqual(await rows(), []);
      await run('clearServerFilter');
      assert.deepEqual([...(await rows())].sort(), DEMO_SERVERS);
    });

    it('Sort Servers… offers its orders and sorts by the one that is picked', async () => {
      const { tree } = await exportsOf();
      const { showQuickPick } = vscode.window;
      const offered: string[] = [];
      const pickLast = (items: readonly vscode.QuickPickItem[]): Promise<vscode.QuickPickItem | undefined> => {
        offered.push(...items.map(({ label }) => label));
        return Promise.resolve(items.at(-1));
      };
      Object.assign(vscode.window, { showQuickPick: pickLast });
      try {
        await run('sortServers');
      } finally {
        Object.assign(vscode.window, { showQuickPick });
      }
      assert.deepEqual(offered, ['Place in File', 'Name', 'State, Problems First', 'Number of Tools']);
      const most = await rows();
      const counts = await Promise.all(most.map(async (name) => (await viewNamed(name)).tools.length));
      assert.deepEqual(
        counts,
        counts.toSorted((one, other) => other - one),
      );
      await (await tree.data()).arrange({ sort: 'defined' });
      assert.equal((await rows()).join(' '), await order());
    });

    it('Move Up and Move Down change the place in the file, not past its ends, and Undo gives it back as it was', async () => {
      const file = workspaceFile('.mcp.json');
      const before = await textOf(file);
      const [first = '', second = ''] = (await order()).split(' ');
      await run('moveServerUp', await nodeOf(first));
      assert.equal(await textOf(file), before);
      await withShown(async (shown) => {
        const undo = Promise.withResolvers<string>();
        shown.answer = ({ buttons }) => (buttons.includes('Undo') ? undo.promise : undefined);
        await run('moveServerDown', await nodeOf(first));
        assert.ok((await order()).startsWith(`${second} ${first} `), await order());
        assert.deepEqual(
          shown.messages.map(({ text }) => text),
          ['Reordered servers in .mcp.json.'],
        );
        undo.resolve('Undo');
        await eventually('it is as it was', async () => (await textOf(file)) === before);
      });
      for (const name of DEMO_SERVERS) await connected(name);
    });

    it('servers dropped on another one are put in front of it, in their order; dropped on a scope, they are copied there', () =>
      withMine(async () => {
        const { host } = await exportsOf();
        const file = workspaceFile('.mcp.json');
        const before = await vscode.workspace.fs.readFile(file);
        const names = (await order()).split(' ');
        const [first = '', , third = '', fourth = ''] = names;
        const idOf = async (name: string): Promise<string> => (await viewNamed(name)).definition.id;
        await run('dropServers', [await idOf(third), await idOf(fourth)], await nodeOf(first));
        assert.equal(
          await order(),
          [third, fourth, ...names.filter((name) => ![third, fourth].includes(name))].join(' '),
        );
        await withShown(async (shown) => {
          shown.answer = ({ buttons }) => (buttons.includes('Move') ? Promise.resolve('Copy') : undefined);
          const { tree } = await exportsOf();
          const project = (await tree.getChildren()).find((node) => node.kind === 'scope' && node.scope === 'project');
          await run('dropServers', [await idOf('mine')], project);
          assert.match(shown.messages[0]?.text ?? '', /^Move or copy mine to Project\?/);
        });
        await eventually('it is in both', () => {
          const copies = host.config.snapshot.results.flatMap(({ entries }) => entries);
          return copies.filter(({ name }) => name === 'mine').length === 2;
        });
        await vscode.workspace.fs.writeFile(file, before);
        await eventually('it is as it was', async () => (await rowsOfProject()).join(' ') === names.join(' '));
        await vscode.commands.executeCommand('notifications.clearAll');
      }));

    it('Move to Scope… moves a server where the user says', () =>
      withMine(async () => {
        const { host } = await exportsOf();
        const file = workspaceFile('.mcp.json');
        const before = await vscode.workspace.fs.readFile(file);
        await withShown(async (shown) => {
          shown.answer = ({ buttons }) => (buttons.includes('Move') ? Promise.resolve('Move') : undefined);
          const moved = run('moveToScope', await nodeOf('mine'));
          const list = await eventually('it asks where to', () => shown.picks[0]);
          assert.equal(list.title, 'Move “mine” to Scope');
          await pickFrom(list, 'Project');
          await moved;
        });
        const scopes = (): readonly string[] =>
          host.views.flatMap(({ definition: { name, entry } }) => (name === 'mine' ? [entry.scope] : []));
        assert.deepEqual(scopes(), ['project']);
        await vscode.workspace.fs.writeFile(file, before);
        const servers = vscode.workspace.getConfiguration('mcpSwitchboard');
        await servers.update('servers', { mine }, vscode.ConfigurationTarget.Global);
        await eventually('it is the user’s', () => scopes().join() === 'user');
        await vscode.commands.executeCommand('notifications.clearAll');
      }));

    it('Disconnect, Connect, Disable and Enable act on all that are selected, and on nothing else', async () => {
      const { host } = await exportsOf();
      const chosen = [await nodeOf('memory'), await nodeOf('filesystem')];
      const states = async (): Promise<string> =>
        (await Promise.all(['memory', 'filesystem', 'notes'].map((name) => viewNamed(name))))
          .map(({ state }) => state.kind)
          .join(' ');
      for (const [id, expected] of [
        ['disconnect', 'disconnected disconnected connected'],
        ['connect', 'connected connected connected'],
        ['disable', 'disabled disabled connected'],
        ['enable', 'connected connected connected'],
      ] as const) {
        await run(id, chosen[0], chosen);
        await eventually(`${id}: ${expected}`, async () => (await states()) === expected);
      }
      assert.ok(host.catalog.tools.some(({ serverName }) => serverName === 'memory'));
    });
  });

  describe('commands of a tool’s row', () => {
    it('Copy Tool Name copies what the model calls it, and Show Tool opens what is known of it', async () => {
      const node = (await toolNodesOf('notes')).find(({ tool }) => tool.tool.name === 'add_note');
      await run('copyToolName', node);
      assert.equal(await vscode.env.clipboard.readText(), 'mcp__notes__add_note');
      await run('showTool', node);
      const { document } = vscode.window.activeTextEditor ?? assert.fail('it is open');
      assert.match(document.getText(), /mcp__notes__add_note/);
      assert.ok(!document.isDirty && !document.isUntitled);
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    });
  });

  describe('commands that only the palette has', () => {
    it('Clear Saved Inputs and Reload Configuration say that they are done', () =>
      withShown(async ({ said }) => {
        await run('forgetInputs');
        await run('refresh');
        assert.deepEqual(said, ['Saved inputs cleared.', 'Configuration reloaded.']);
      }));

    it('Paste Sign-In Address… says that none is waited for', () =>
      withShown(async ({ messages }) => {
        await run('pasteSignInAddress');
        assert.deepEqual(
          messages.map(({ text }) => text),
          ['No sign-in waits for an address.'],
        );
        await vscode.commands.executeCommand('notifications.clearAll');
      }));

    it('Sign In, Sign Out and their like say that there is nothing to do, in the words of each', () =>
      withShown(async ({ messages }) => {
        for (const id of ['signIn', 'signInAs', 'switchAccount', 'signOut', 'resetRegistration', 'setHeader'])
          await run(id);
        assert.deepEqual(
          messages.map(({ text }) => text),
          [
            'No server needs a sign-in.',
            'No server has a sign-in.',
            'No server is signed in to.',
            'No server is signed in to.',
            'No server has a sign-in.',
            'No server is sent headers that can be set here.',
          ],
        );
        await vscode.commands.executeCommand('notifications.clearAll');
      }));

    it('Set Cloud Token… keeps what is typed, and it is sent until an empty one removes it', async () => {
      const { host } = await exportsOf();
      const isThere = (name: string): boolean => host.views.some(({ definition }) => definition.name === name);
      const sent: (string | undefined)[] = [];
      const server = http.createServer((request, response) => {
        sent.push(request.headers.authorization);
        const named = request.headers.authorization === undefined ? 'stranger' : 'known';
        const servers = { [named]: { command: 'never-started', startMode: 'manual' } };
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ mcpServers: servers }));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { showInputBox } = vscode.window;
      const type = async (token: string | undefined): Promise<void> => {
        Object.assign(vscode.window, { showInputBox: () => Promise.resolve(token) });
        await run('setCloudToken');
      };
      try {
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/servers`;
        await withSetting('cloud.url', url, async () => {
          await eventually('it is asked without one', () => isThere('stranger'));
          await type(' t0ken ');
          await eventually('it is sent', () => isThere('known'));
          assert.equal(sent.at(-1), 'Bearer t0ken');
          const asked = sent.length;
          await type(undefined);
          assert.equal(sent.length, asked, 'closed: nothing is changed');
          await type('');
          await eventually('it is removed', () => isThere('stranger'));
        });
      } finally {
        Object.assign(vscode.window, { showInputBox });
        server.closeAllConnections();
        server.close();
      }
    });

    it('Settings shows ours alone, and Help the walkthrough', async () => {
      const active = (): string => vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '';
      await run('openSettings');
      await eventually('the settings are open', () => active() === 'Settings');
      await run('help');
      await eventually('another tab is open', () => active() !== 'Settings');
      assert.match(active(), /Walkthrough|Welcome|Get Started/);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });

    it('the lists of scopes, servers and permissions open and close, and change nothing', async () => {
      const before = await order();
      for (const id of ['copyToScope', 'moveToScope', 'exportServers', 'removeServer'])
        await withShown(async (shown) => {
          const pending = run(id);
          await eventually(`${id} shows a list`, () => shown.lists > 0);
          let settled = false;
          void pending.then(() => (settled = true));
          await eventually(`${id} ends`, async () => {
            await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
            return settled;
          });
        });
      assert.equal(await order(), before);
    });
  });
}
