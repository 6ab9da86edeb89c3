import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { DEMO_SERVERS, eventually, EXTENSION_ID, exportsOf, pids } from './support.ts';

export function activationSuite(): void {
  describe('activation', () => {
    it('happens by itself after the start', async () => {
      const extension = vscode.extensions.getExtension(EXTENSION_ID);
      await eventually('the extension is active', () => extension?.isActive);
    });

    it('finds the servers of the folder and starts none of them before they are approved', async () => {
      const { host } = await exportsOf();
      await eventually('four servers are found', () => host.views.length === DEMO_SERVERS.length);
      assert.deepEqual(host.views.map(({ definition }) => definition.name).sort(), DEMO_SERVERS);
      for (const { state } of host.views) {
        assert.deepEqual(state, { kind: 'blocked', reason: 'needs approval', needsApproval: true });
      }
      assert.deepEqual(await pids(), {});
    });

    it('registers every command of the manifest', async () => {
      const manifest = vscode.extensions.getExtension(EXTENSION_ID)?.packageJSON as {
        contributes: { commands: { command: string }[] };
      };
      const registered = new Set(await vscode.commands.getCommands(true));
      const missing = manifest.contributes.commands.filter(({ command }) => !registered.has(command));
      assert.deepEqual(missing, []);
    });
  });
}
