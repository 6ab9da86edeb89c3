import { strict as assert } from 'node:assert';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { readRecording } from '../../../src/connection/recording/readRecording.ts';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { callTool } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';
import { focusRow, pickFromRowMenu } from '../../support/viewRows.ts';

export function recordings(useWindow: UseSharedWindow): void {
  describe('recordings', () => {
    let window: AgentWindow;
    let folder: string;
    useWindow({}, (opened) => {
      window = opened;
      folder = join(window.folder, '.data', 'recordings');
      mkdirSync(folder, { recursive: true });
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    const status = (text: string): Locator => window.page.locator('.statusbar-item', { hasText: text });
    const toast = (text: string): Locator => window.page.locator('.notification-toast', { hasText: text });

    /** Answers the editor's own dialog for files, in which a path can be written. */
    async function give(file: string): Promise<void> {
      const given = async (): Promise<string> => window.box.inputValue({ timeout: 1_000 }).catch(() => '');
      await window.until(async () => (await given()).includes('/'));
      await window.fillBox(file);
      // While it reads a folder, it takes no answer.
      await window.until(async () => {
        if (!(await given()).startsWith(folder)) return true;
        await window.pressInBox('Enter');
        return false;
      });
    }

    it('a session is recorded from a row of the view, with its status, and stopped there', async () => {
      const file = join(folder, 'session.mcprec.jsonl');
      await focusRow(window, 'Servers', 'notes');
      await pickFromRowMenu(window, 'Record Session…');
      await give(file);
      await status('Recording MCP').waitFor();
      await window.screenshot('recording-status');
      await window.send(callTool('notes__list_notes'));
      await window.turnEnded();
      await status('Recording MCP').click();
      await status('Recording MCP').waitFor({ state: 'detached' });
      await toast('events saved').waitFor();
      await window.screenshot('recording-saved');
      const { lines } = await readRecording(file);
      assert.deepEqual([...new Set(lines.map(({ server }) => server))], ['notes']);
      assert.match(readFileSync(file, 'utf8'), /"method":"tools\/call"/);
    });

    it('what just happened is saved; a problem is reported with it, and nothing is sent', async () => {
      const file = join(folder, 'recent.mcprec.jsonl');
      await window.runCommand('MCP Switchboard: Save What Just Happened…');
      await give(file);
      await window.until(() => readdirSync(folder).includes('recent.mcprec.jsonl'));
      await toast('events saved').first().waitFor();
      const { lines } = await readRecording(file);
      assert.ok(new Set(lines.map(({ server }) => server)).size >= 4);
      await window.runOnServer('Report a Problem with a Server…', 'Select the server with the problem', 'notes');
      await give(`${folder}/`);
      await toast('Nothing was sent').waitFor();
      await window.screenshot('recording-report');
      const [report = ''] = readdirSync(folder).filter((name) => name.startsWith('report-notes-'));
      assert.deepEqual(readdirSync(join(folder, report)).sort(), ['README.md', 'doctor.md', 'recording.mcprec.jsonl']);
      assert.match(readFileSync(join(folder, report, 'doctor.md'), 'utf8'), /## Versions/);
    });
  });
}
