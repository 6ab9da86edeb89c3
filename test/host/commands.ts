import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { withShown } from './shown.ts';
import { connected, eventually, exportsOf, nodeOf, openAndClose, pids, viewNamed, workspaceFile } from './support.ts';

const run = (id: string, ...args: unknown[]): Thenable<unknown> =>
  vscode.commands.executeCommand(`mcpSwitchboard.${id}`, ...args);

async function stateOf(name: string): Promise<string> {
  return (await viewNamed(name)).state.kind;
}

export function commandsSuite(): void {
  describe('commands', () => {
    it('Disconnect ends the process, and the server stays so; Connect starts it again', async () => {
      const before = await pids();
      await run('disconnect', await nodeOf('memory'));
      assert.equal(await stateOf('memory'), 'disconnected');
      assert.throws(() => process.kill(before['memory'] ?? 0, 0));
      const { host } = await exportsOf();
      assert.equal(host.catalog.tools.filter(({ serverName }) => serverName === 'memory').length, 0);
      await run('connect', await nodeOf('memory'));
      await connected('memory');
      const after = await pids();
      assert.notEqual(after['memory'], before['memory']);
      assert.equal(after['notes'], before['notes']);
    });

    it('Restart gives a new process to that server alone', async () => {
      const before = await pids();
      await run('restart', await nodeOf('notes'));
      await connected('notes');
      const after = await pids();
      assert.notEqual(after['notes'], before['notes']);
      assert.equal(after['memory'], before['memory']);
    });

    it('Disable stops a server and keeps it silent; Enable brings it back; the file stays as it is', async () => {
      const file = workspaceFile('.mcp.json');
      const text = Buffer.from(await vscode.workspace.fs.readFile(file)).toString();
      await run('disable', await nodeOf('memory'));
      assert.equal(await stateOf('memory'), 'disabled');
      await eventually('its process is gone', async () => (await pids())['memory'] === undefined);
      await run('enable', await nodeOf('memory'));
      await connected('memory');
      assert.equal(Buffer.from(await vscode.workspace.fs.readFile(file)).toString(), text);
    });

    it('Show Log shows the output of the server', async () => {
      await run('showLog', await nodeOf('notes'));
      // The editor leaves the colon out.
      const isItsLog = ({ uri }: vscode.TextDocument): boolean =>
        uri.scheme === 'output' && /MCP:? notes/.test(uri.path);
      await eventually('the log is shown', () => vscode.workspace.textDocuments.some(isItsLog));
      await vscode.commands.executeCommand('workbench.action.closePanel');
    });

    it('Open Definition goes to the line in the file', async () => {
      await run('openDefinition', await nodeOf('notes'));
      const editor = await eventually('the file is open', () => vscode.window.activeTextEditor);
      assert.equal(editor.document.uri.fsPath, workspaceFile('.mcp.json').fsPath);
      assert.match(editor.document.lineAt(editor.selection.active.line).text, /"notes"/);
    });

    it('Open Project and Workspace Configuration open the files; a missing one is made after a question', async () => {
      await run('openProjectConfig');
      assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, workspaceFile('.mcp.json').fsPath);
      await withShown(async (shown) => {
        shown.answer = ({ buttons }) => Promise.resolve(buttons.find((button) => button === 'Create'));
        await run('openWorkspaceConfig');
        assert.equal(shown.messages.length, 1);
      });
      assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, workspaceFile('.vscode/mcp.json').fsPath);
      assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /"servers"/);
    });

    it('Open User Configuration opens the settings', async () => {
      await run('openUserConfig');
      await eventually('settings.json is open', () =>
        vscode.window.activeTextEditor?.document.uri.path.endsWith('settings.json'),
      );
    });

    for (const id of [
      'listServers',
      'searchTools',
      'connect',
      'disconnect',
      'restart',
      'showLog',
      'disable',
      'openDefinition',
    ]) {
      if (id === 'connect') continue;
      it(`${id} from the palette offers a list`, () => openAndClose(() => run(id)));
    }

    it('Connect, Enable, Approve and Review say so when there is nothing to do', async () => {
      const texts = {
        connect: 'No disconnected servers.',
        enable: 'No disabled servers.',
        approve: 'No servers need approval.',
        review: 'No servers need approval.',
      };
      for (const [id, text] of Object.entries(texts))
        await withShown(async ({ messages }) => {
          await run(id);
          assert.deepEqual(messages, [{ text, buttons: [] }], id);
        });
      await vscode.commands.executeCommand('notifications.clearAll');
    });

    it('Choose MCP Host… asks', () => openAndClose(() => run('chooseHost')));

    it('Reload Configuration reads the files again and restarts nothing', async () => {
      const before = await pids();
      await run('refresh');
      assert.deepEqual(await pids(), before);
    });
  });
}
