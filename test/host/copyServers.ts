import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { deferred } from '../../src/base/async.ts';
import type { ServerEntry } from '../../src/config/configTypes.ts';
import { copyServers } from '../../src/ui/config/edit/copyServer.ts';
import { eventually, exportsOf, viewNamed, withSetting, workspaceFile } from './support.ts';
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
          await eventually('it is undone', () =>
            host.views.some(({ definition: { entry } }) => entry.name === 'mover' && entry.scope === 'user'),
          );
        });
        assert.ok(host.views.filter(({ definition }) => definition.name === 'mover').length === 1);
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
  });
}
