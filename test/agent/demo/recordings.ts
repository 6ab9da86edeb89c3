import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { giveFile } from '../../support/fileDialog.ts';
import { callTool } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';

export function recordings(useWindow: UseSharedWindow): void {
  describe('what just happened', () => {
    let window: AgentWindow;
    useWindow({}, async (opened) => {
      window = opened;
      await window.choosePermissions('Default permissions');
      await window.send(callTool('notes__list_notes'));
      await window.turnEnded();
    });

    it('is saved as a recording', async () => {
      const file = join(window.folder, 'recent.mcprec.jsonl');
      await window.runCommand('MCP Switchboard: Save What Just Happened');
      await giveFile(window, 'Save Recording', file);
      await window.page.locator('.notification-toast', { hasText: 'events saved' }).waitFor();
      assert.match(readFileSync(file, 'utf8'), /"list_notes"/);
    });

    it('is in the report about a problem, with what Doctor says, and the folder opens', async () => {
      // It is empty: of a folder that isn't, the dialog may offer what is in it first, and Enter goes there.
      const reports = join(window.folder, 'reports');
      mkdirSync(reports);
      await window.runOnServer('Report a Problem with a Server', 'Select the server with the problem', 'notes');
      await giveFile(window, 'Select a Folder for the Report', `${reports}/`);
      await window.page.locator('.tab.active', { hasText: 'README.md' }).waitFor();
      await window.page.locator('.notification-toast', { hasText: 'Nothing was sent.' }).waitFor();
      await window.screenshot('problem-report');
      const [report = 'none'] = readdirSync(reports);
      assert.match(report, /^report-notes-/);
      const folder = join(reports, report);
      for (const name of ['README.md', 'doctor.md', 'recording.mcprec.jsonl'])
        assert.ok(existsSync(join(folder, name)));
      assert.match(readFileSync(join(folder, 'recording.mcprec.jsonl'), 'utf8'), /"list_notes"/);
      await window.runCommand('View: Close All Editors');
    });
  });
}
