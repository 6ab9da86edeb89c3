import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { deferred } from '../../src/base/async.ts';
import type { ServerEntry } from '../../src/config/configTypes.ts';
import { copyServers } from '../../src/ui/config/edit/copyServer.ts';
import {
  connected,
  eventually,
  exportsOf,
  itemOf,
  nodeOf,
  toolNodesOf,
  viewNamed,
  withSetting,
  workspaceFile,
} from './support.ts';
import { withShown } from './shown.ts';

const SERVER = { command: 'never-started', disabled: true, timeout: 9_000, startMode: 'manual' };

/** With its own copy of the code: what it does is seen in the files, settings and servers of the extension. */
export function copyServersSuite(): void {
  describe('copies of servers', () => {
    const entryNamed = async (name: string): Promise<ServerEntry> => (await viewNamed(name)).definition.entry;
    const textOf = async (): Promise<string> =>
      Buffer.from(await vscode.workspace.fs.readFile(workspaceFile('.vscode/mcp.json'))).toString();

    it('a server of the user moves to the workspace, its secret becomes an input, and all of it can be undone', async () => {
      const { host } = await exportsOf();
      const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
      await withSetting('servers', { mover: { ...SERVER, env: { GITHUB_TOKEN: secret } } }, async () => {
        await eventually('it is there', () => host.views.some(({ definition }) => definition.name === 'mover'));
        const file = workspaceFile('.vscode/mcp.json');
        const before = await vscode.workspace.fs.readFile(file).then(undefined, () => undefined);
        const undo = deferred<string>();
        await withShown(async (shown) => {
          shown.answer = ({ buttons }) =>
            buttons.includes('Undo') ? undo.promise : buttons.includes('Move') ? Promise.resolve('Move') : undefined;
          const place = { target: 'workspace', file, label: 'mcp.json' } as const;
          const ids = await copyServers(host, [await entryNamed('mover')], place, { isMove: true });
          assert.equal(ids?.length, 1);
          assert.deepEqual(
            shown.messages.map(({ text }) => text),
            ['Move mover to mcp.json?', 'Moved “mover” to mcp.json.'],
          );
          const { scope, inputs = [], callTimeoutMs, startMode, transport } = await entryNamed('mover');
          assert.deepEqual([scope, inputs.length, callTimeoutMs, startMode], ['workspace', 1, 9_000, 'manual']);
          assert.ok(transport.type === 'stdio' && transport.env['GITHUB_TOKEN']?.startsWith('${input:'));
          assert.ok(!(await textOf()).includes(secret));
          assert.equal(vscode.workspace.getConfiguration('mcpSwitchboard').inspect('servers')?.globalValue, undefined);
          undo.resolve('Undo');
          // The setting and the file change one after the other.
          await eventually('it is undone', () => {
            const movers = host.views.filter(({ definition }) => definition.name === 'mover');
            return movers.length === 1 && movers[0]?.definition.entry.scope === 'user';
          });
        });
        const after = await vscode.workspace.fs.readFile(file).then(undefined, () => undefined);
        assert.deepEqual(after && Buffer.from(after).toString(), before && Buffer.from(before).toString());
      });
    });

    it('a server that isn’t approved doesn’t come to where servers run without an approval', async () => {
      const { host } = await exportsOf();
      const file = workspaceFile('.mcp.json');
      const before = await vscode.workspace.fs.readFile(file);
      const added = Buffer.from(before)
        .toString()
        .replace('"mcpServers": {', `"mcpServers": { "waiter": ${JSON.stringify(SERVER)},`);
      await vscode.workspace.fs.writeFile(file, Buffer.from(added));
      await eventually('it is there', () => host.views.some(({ definition }) => definition.name === 'waiter'));
      const entry = await entryNamed('waiter');
      for (const target of ['user', 'session'] as const)
        await assert.rejects(copyServers(host, [entry], { target, label: 'x' }, { isMove: true }), /isn’t approved/);
      await vscode.workspace.fs.writeFile(file, before);
      await eventually('it is gone', () => !host.views.some(({ definition }) => definition.name === 'waiter'));
    });

    it('Enable changes the file of a server that its file disables, once the user agrees, and it stays in the list', async () => {
      const { host } = await exportsOf();
      const file = workspaceFile('.mcp.json');
      const before = Buffer.from(await vscode.workspace.fs.readFile(file)).toString();
      const entry = { command: 'never-started', startMode: 'manual' };
      const withEntry = (value: object): Buffer =>
        Buffer.from(before.replace('"mcpServers": {', `"mcpServers": {\n    "sleeper": ${JSON.stringify(value)},`));
      await vscode.workspace.fs.writeFile(file, withEntry({ ...entry, disabled: true }));
      const status = (): string | undefined =>
        host.servers.definitions.find(({ name }) => name === 'sleeper')?.status.kind;
      await eventually('it is there', () => status() === 'disabled');
      const row = await itemOf(await nodeOf('sleeper'));
      assert.match(row.contextValue ?? '', /\benableable\b/);
      await withShown(async (shown) => {
        shown.answer = ({ buttons }) => Promise.resolve(buttons.find((label) => label === 'Enable in File'));
        await vscode.commands.executeCommand('mcpSwitchboard.enable', 'sleeper');
        assert.match(shown.messages[0]?.text ?? '', /“sleeper” is disabled in .*Enable it there\?/);
      });
      await eventually('it needs approval', () => status() === 'needs-approval');
      const after = Buffer.from(await vscode.workspace.fs.readFile(file));
      assert.deepEqual(JSON.parse(after.toString()), JSON.parse(withEntry(entry).toString()));
      await vscode.workspace.fs.writeFile(file, Buffer.from(before));
      await eventually('it is gone', () => status() === undefined);
    });

    it('a tool that is disabled in a file of the folder leaves the server approved', async () => {
      const { host, tree } = await exportsOf();
      const file = workspaceFile('.mcp.json');
      const before = await vscode.workspace.fs.readFile(file);
      const { id } = (await connected('notes')).definition;
      const nodes = await toolNodesOf('notes');
      const node = nodes.find(({ tool }) => tool.tool.name === 'delete_all_notes');
      await vscode.commands.executeCommand('mcpSwitchboard.toggleTool', node);
      await eventually('it is left out', () => host.catalog.disabledToolsOf(id).length === 1);
      assert.equal(host.servers.get(id)?.status.kind, 'ready');
      const { serverId, tool } = { serverId: id, tool: host.catalog.disabledToolsOf(id)[0] };
      const row = (await tree.data()).row({ kind: 'disabledTool', serverId, tool: tool ?? assert.fail() });
      assert.ok(typeof row.checkboxState === 'object');
      await vscode.commands.executeCommand('mcpSwitchboard.toggleTool', { kind: 'disabledTool', serverId, tool });
      await eventually('it is back', () => host.catalog.toolsOf(id).length === 4);
      assert.equal(host.servers.get(id)?.status.kind, 'ready');
      assert.deepEqual(
        JSON.parse(Buffer.from(await vscode.workspace.fs.readFile(file)).toString()),
        JSON.parse(Buffer.from(before).toString()),
      );
      await vscode.workspace.fs.writeFile(file, before);
    });
  });
}
