import { strict as assert } from 'node:assert';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { HttpFixture, json } from '../../fixtures/servers/http.ts';
import { ScriptedServer } from '../../host/settings/scriptedServer.ts';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { callTool } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';
import { doctorReport } from '../../support/webPages.ts';

export function organization(useWindow: UseSharedWindow): void {
  describe('what an organization says', () => {
    let window: AgentWindow;
    const scripted = new ScriptedServer();
    const cloud = new HttpFixture((_request, response) =>
      json(response, 200, { mcpServers: { fleet: { type: 'http', url: scripted.url('fleet') } } }),
    );

    before(async () => {
      await scripted.start();
      await cloud.listen();
    });

    useWindow({}, async (opened) => {
      window = opened;
      await window.showTree();
    });

    after(async () => {
      await scripted.close();
      await cloud.close();
    });

    it('a server of the cloud waits for approval, is used by the agent, and goes with the setting', async () => {
      await window.changeSettings({ 'mcpSwitchboard.cloud.url': cloud.url });
      await window.treeRow('fleet', 'Needs approval').waitFor();
      assert.equal(scripted.count('initialize', 'fleet'), 0);
      await window.runOnServer('Approve…', 'Select a server to approve', 'fleet');
      await window.pickRow('Approve').click();
      await window.treeRow('fleet', '3 tools').waitFor();
      await window.screenshot('cloud-server');
      await window.send(callTool('fleet__read'));
      assert.equal(await window.result(), 'done');
    });

    it('a managed file adds servers that need no approval, denies others, and keeps the cloud’s away, at once', async () => {
      const program = { command: process.execPath, args: [join(root, 'demo/notes-server/main.js')] };
      const managed = {
        mcpServers: {
          corp: {
            ...program,
            env: { NOTES_DIR: join(window.folder, '.data', 'corp') },
            permissions: { rules: [{ tool: 'delete_*', action: 'deny', reason: 'company notes are kept' }] },
          },
        },
        deniedServers: ['odd'],
      };
      mkdirSync(dirname(window.managedFile), { mode: 0o755 });
      writeFileSync(window.managedFile, JSON.stringify(managed, undefined, 2), { mode: 0o644 });
      await window.treeRow('corp', '4 tools').waitFor();
      await window.treeRow('odd', 'Blocked').waitFor();
      await window.serverRow('fleet').waitFor({ state: 'detached' });
      await window.screenshot('managed-file');
      await window.send(callTool('corp__list_notes'), callTool('corp__delete_all_notes'));
      const { results } = await window.turnEnded();
      assert.match(results[0]?.text ?? '', /Welcome: /);
      assert.match(results[1]?.text ?? '', /denies .*company notes are kept/);
      await window.runCommand('MCP Switchboard: Doctor');
      const report = await doctorReport(window, /corp\s*connected[^|]*?4 tools\s*enterprise/);
      assert.doesNotMatch(await report.locator('body').innerText(), /restricts\s+nothing/);
      await window.screenshot('managed-file-in-the-report');
    });

    it('and when it goes, all is as before', async () => {
      rmSync(window.managedFile);
      await window.serverRow('corp').waitFor({ state: 'detached' });
      await window.treeRow('notes', '4 tools').waitFor();
      await window.treeRow('fleet', '3 tools').waitFor();
    });

    it('one that others could have written lets nothing run, and says why', async () => {
      writeFileSync(window.managedFile, JSON.stringify({ mcpServers: {} }));
      chmodSync(window.managedFile, 0o666);
      await window.runCommand('MCP Switchboard: Reload Configuration');
      await window.treeRow('notes', 'Blocked').waitFor();
      await window.screenshot('managed-file-of-others');
      rmSync(window.managedFile);
      await window.treeRow('notes', '4 tools').waitFor();
      await window.treeRow('fleet', '3 tools').waitFor();
      await window.changeSettings({ 'mcpSwitchboard.cloud.url': null });
      await window.serverRow('fleet').waitFor({ state: 'detached' });
    });
  });
}
