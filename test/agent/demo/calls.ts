import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { callTool, type Step } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';
import { TaskServer, textResult } from '../../support/taskServer.ts';
import { focusRow, pane } from '../../support/viewRows.ts';

const LINES = 30_000;
const MINUTE_MS = 60_000;

export function calls(useWindow: UseSharedWindow): void {
  describe('calls of the agent, under policy', () => {
    const server = new TaskServer();
    const settings: Record<string, unknown> = { 'mcpSwitchboard.tasks.handOverAfter': 0.2 };
    let window: AgentWindow;
    before(async () => {
      await server.start();
      settings['mcpSwitchboard.servers'] = { works: { type: 'http', url: server.url('core') } };
    });
    after(() => server.stop());
    useWindow(settings, async (opened) => {
      window = opened;
      const lines = Array.from({ length: LINES }, (_, index) => `line number ${index} of the large file`);
      writeFileSync(join(window.folder, 'large.txt'), lines.join('\n'));
      await window.choosePermissions('Default permissions');
    });

    it('denied with a message, the model gets the user’s message, and nothing runs', async () => {
      await window.send(callTool('notes__delete_note', { title: 'Welcome' }));
      await window.pickFromMenu('Deny with a Message');
      await window.fillBox('Keep that note, delete the other one.');
      await window.screenshot('deny-with-a-message');
      await window.pressInBox('Enter');
      const { results } = await window.turnEnded();
      assert.match(results[0]?.text ?? '', /^The user denied .*The user says: Keep that note, delete the other one\.$/);
      assert.ok(window.notes().some((name) => name.includes('Welcome')));
    });

    it('always with these arguments: the same call runs, other arguments ask; it can be seen and taken back', async () => {
      await window.send(callTool('notes__add_note', { title: 'Always', text: 'a' }));
      await window.pickFromMenu('Always Allow with These Arguments');
      await window.turnEnded();
      await window.send(
        callTool('notes__add_note', { title: 'Always', text: 'a' }),
        callTool('notes__add_note', { title: 'Always', text: 'b' }),
      );
      await window.cardButton('Deny').click();
      const { results } = await window.turnEnded();
      assert.match(results[0]?.text ?? '', /Added the note/);
      assert.match(results[1]?.text ?? '', /^The user denied/);
      await window.runCommand('MCP Switchboard: Manage Permissions');
      await window.pickRow('add_note on notes').waitFor();
      await window.screenshot('permissions');
      await window.pickRow('add_note on notes').click();
      await window.send(callTool('notes__add_note', { title: 'Always', text: 'a' }));
      await window.cardButton('Deny').click();
      assert.match(await window.result(), /^The user denied/);
    });

    it('the cut middle of a large result is fetched in the same turn', async () => {
      const read = callTool('filesystem__read_text_file', { path: join(window.folder, 'large.txt') });
      const wait = callTool('notes__delete_all_notes');
      await window.send(read, wait);
      // While the question is open the script goes on with what the first result said.
      await window.cardButton('Deny').waitFor();
      const first = window.requests().at(-1)?.results.at(-1)?.text ?? '';
      assert.match(first, /^line number 0 of the large file/);
      assert.match(first, new RegExp(`line number ${LINES - 1} of the large file$`));
      assert.ok(Buffer.byteLength(first) < 8_192, `${first.length}`);
      assert.ok(!first.includes('line number 15000 '));
      const [, uri = ''] = /"uri": "(switchboard-result:[^"]+)"/.exec(first) ?? [];
      const offset = Array.from({ length: 15_000 }, (_, index) => `line number ${index} of the large file\n`).join(
        '',
      ).length;
      const more: Step = { call: { name: 'mcp_read_resource', input: { uri, offset, length: 500 } } };
      window.script(read, wait, more, { text: window.ending });
      await window.cardButton('Deny').click();
      const { results } = await window.turnEnded();
      assert.match(results[2]?.text ?? '', /^line number 15000 of the large file/);
      assert.match(results[2]?.text ?? '', /Go on with "offset": \d+/);
    });

    it('shows what would change in a file that is open', async () => {
      await window.page.keyboard.press('Control+p');
      await window.fillBox('shopping-list.md');
      await window.pickRow('shopping-list.md').click();
      await window.page.locator('.tab', { hasText: 'shopping-list.md' }).waitFor();
      const path = join(window.folder, 'shopping-list.md');
      const content = `${readFileSync(path, 'utf8')}- a new line of the agent\n`;
      await window.send(callTool('filesystem__write_file', { path, content }));
      await window.cardButton('Deny').waitFor();
      const text = await window.page.locator('.interactive-session').innerText();
      const card = text.replaceAll('\u00a0', ' ');
      assert.match(card, /Changes to .*shopping-list\.md/);
      assert.match(card, /\+- a new line of the agent/);
      await window.screenshot('question-with-a-difference');
      await window.cardButton('Deny').click();
      assert.match(await window.result(), /^The user denied/);
      assert.ok(!readFileSync(path, 'utf8').includes('a new line of the agent'));
    });

    it('plan mode: a write is added to the plan, the model is told, and the user runs it', async () => {
      await window.runCommand('MCP Switchboard: Toggle Plan Mode');
      const planned = ['Planned', 'Alone', 'Never'].map((title) =>
        callTool('notes__add_note', { title, text: 'later' }),
      );
      await window.send(callTool('notes__list_notes'), ...planned);
      const { results } = await window.turnEnded();
      assert.doesNotMatch(results[0]?.text ?? '', /Plan mode/);
      assert.match(results[1]?.text ?? '', /Plan mode is on.*did not run/);
      assert.ok(!window.notes().some((name) => name.includes('Planned')));
      await window.showTree();
      await window.treeRow('"Planned"').waitFor();
      await window.screenshot('plan');
      // By keyboard: the view, the first call of its plan, its arguments.
      await focusRow(window, 'Activity', '"Planned"');
      await window.page.keyboard.press('Enter');
      await window.page.locator('.tab.active', { hasText: 'mcp__notes__add_note.json' }).waitFor();
      const editor = window.page.locator('.editor-instance .monaco-editor:visible').last();
      await editor.getByText('"Planned"').waitFor();
      const replaceAll = async (text: string): Promise<void> => {
        await window.page.keyboard.press('Control+a');
        await window.page.keyboard.insertText(text);
        // The editor closes what was opened, once more.
        await window.page.keyboard.press('Control+Shift+End');
        await window.page.keyboard.press('Delete');
      };
      const dirty = window.page.locator('.tab.active.dirty');
      const squiggles = editor.locator('.squiggly-error');
      await replaceAll('{ "titel": "Planned", "text": 7 }');
      await squiggles.first().waitFor();
      await window.page.keyboard.press('Control+s');
      const refusal = window.page.locator('.notification-toast', {
        hasText: 'is missing the required property "title"',
      });
      await refusal.waitFor();
      await window.screenshot('plan-arguments-wrong');
      await dirty.waitFor();
      assert.match(await editor.innerText(), /titel/, 'nothing is lost');
      await refusal.locator('.codicon-notifications-clear').click();
      await replaceAll('{ "title": "Edited", }');
      await window.page.keyboard.press('ArrowLeft');
      await window.page.keyboard.press('ArrowLeft');
      await window.page.keyboard.press('Control+Space');
      const suggestions = window.page.locator('.suggest-widget .monaco-list-row');
      await suggestions.filter({ hasText: 'text' }).first().waitFor();
      await window.screenshot('plan-arguments-completion');
      await window.page.keyboard.press('Enter');
      await window.page.keyboard.press('ArrowLeft');
      await window.page.keyboard.type('by hand');
      await squiggles.first().waitFor({ state: 'detached' });
      await window.page.keyboard.press('Control+s');
      await dirty.waitFor({ state: 'detached' });
      await window.treeRow('Edited').waitFor();
      await window.screenshot('plan-arguments-right');
      const act = async (row: string, action: string): Promise<void> => {
        await window.treeRow(row).hover();
        await window.treeRow(row).locator(`.action-label[aria-label*="${action}"]`).click();
      };
      await act('Never', 'Discard');
      await window.treeRow('Never').waitFor({ state: 'detached' });
      await act('Alone', 'Run');
      await window.dialogButton('Run').click();
      await window.treeRow('Alone').waitFor({ state: 'detached' });
      assert.ok(window.notes().some((name) => name.includes('Alone')));
      await window.screenshot('plan-after-one');
      await window.runCommand('MCP Switchboard: Run All Planned Calls');
      await window.dialogButton('Run All').click();
      await window.page.getByText('1 planned call ran.').first().waitFor();
      assert.ok(window.notes().some((name) => name.includes('Edited')));
      await window.runCommand('MCP Switchboard: Toggle Plan Mode');
    });

    it('stopping the turn closes the question, and nothing has run', async () => {
      await window.send(callTool('notes__delete_all_notes'));
      await window.cardButton('Deny').waitFor();
      await window.page.locator('.interactive-session .codicon-stop-circle:visible').last().click();
      await window.cardButton('Deny').waitFor({ state: 'hidden' });
      assert.ok(window.notes().length > 0);
      await window.runCommand('MCP Switchboard: Show Call History');
      await window.pickRow('delete_all_notes').click();
      const editor = window.page.locator('.editor-instance .monaco-editor').last();
      await editor.getByText('Result: Denied').waitFor();
    });

    it('the history says why', async () => {
      await window.runCommand('MCP Switchboard: Show Call History');
      await window.page.locator('.quick-input-widget .monaco-list-row', { hasText: 'Asked:' }).first().waitFor();
      await window.screenshot('history');
      await window.page.keyboard.press('Escape');
    });

    it('the plan is still there after the window was reloaded, and a task of a server that goes on meanwhile', async () => {
      await window.serverRow('works').filter({ hasText: '1 tool' }).waitFor();
      server.behaviour = () => ({ status: 'working' });
      await window.send(callTool('works__work', { id: 'over', ms: MINUTE_MS }));
      const goesOn = pane(window, 'Activity').locator('.monaco-list-row', { hasText: 'works · task since' });
      await goesOn.waitFor();
      await window.turnEnded();
      await window.runCommand('MCP Switchboard: Toggle Plan Mode');
      await window.send(callTool('notes__add_note', { title: 'Kept', text: 'later' }));
      assert.match(await window.result(), /Plan mode is on/);
      await window.page.reload();
      await window.treeRow('Kept').waitFor();
      assert.ok(!window.notes().some((name) => name.includes('Kept')));
      // It is asked for under the handle that was kept, and its call isn't made again.
      const askedBefore = server.asked.length;
      await goesOn.waitFor();
      await window.until(() => server.asked.slice(askedBefore).some(({ method }) => method === 'tasks/get'));
      server.behaviour = () => ({ status: 'completed', result: textResult('the work is done') });
      await goesOn.waitFor({ state: 'detached' });
      await pane(window, 'Activity')
        .locator('.monaco-list-row', { hasText: 'work' })
        .filter({ hasText: ' s · ' })
        .waitFor();
      assert.deepEqual(server.calls, ['over']);
      await window.screenshot('task-after-reload');
    });
  });
}
