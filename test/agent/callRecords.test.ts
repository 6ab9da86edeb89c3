import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { freePart } from '../../src/servers/nameParts.ts';
import type { AgentWindow } from '../support/agentWindow.ts';
import { editServers } from '../support/demoServers.ts';
import { callTool } from '../support/script.ts';
import { useAgentWindow } from '../support/useAgentWindow.ts';
import { clickAction, pane } from '../support/viewRows.ts';
import { pageNamed } from '../support/webPages.ts';

/** With a Cyrillic letter: looks like the server `notes`. */
const LOOK_ALIKE = 'n\u043etes';
const COMMAND = "echo 'the workspace says no' >&2; exit 2";

function prepare(folder: string): void {
  editServers(folder, (servers) => {
    const { memory = {}, notes } = servers;
    delete servers['memory'];
    servers[LOOK_ALIKE] = memory;
    const rules = [{ tool: 'delete_all_notes', action: 'deny', reason: 'notes are kept' }];
    Object.assign(notes ?? {}, { autoApprove: ['add_note'], permissions: { rules } });
  });
  const hooks = { PreToolUse: [{ matcher: '.*__list_notes', hooks: [{ type: 'command', command: COMMAND }] }] };
  const settings = { 'chat.mcp.autostart': 'never', 'mcpSwitchboard.hooks': hooks };
  writeFileSync(join(folder, '.vscode', 'settings.json'), JSON.stringify(settings));
}

describe('what a user is told of calls, and what is kept of them', () => {
  let window: AgentWindow;
  useAgentWindow({ settings: { 'mcpSwitchboard.timeouts.callMs': 2_000 }, prepare }, (opened) => {
    window = opened;
  });

  it('a name that looks like another’s is pointed out before it is approved, and in the tree', async () => {
    await window.answerNotification('Use Switchboard');
    const text = await window.whatRuns();
    assert.match(text, /The server’s name mixes letters of different scripts: Latin, Cyrillic\./);
    assert.match(text, /The server’s name looks like the name of another server, notes\./);
    assert.match(text, /Rule: delete_all_notes is denied \("notes are kept"\)/);
    await window.screenshot('approval-of-a-look-alike');
    await window.approveAndStart();
    await window.showTree();
    await window.page.getByText('MCP 4/4').first().waitFor();
    await window.treeRow(LOOK_ALIKE).filter({ hasText: 'looks like notes' }).waitFor();
    assert.equal(await window.treeRow('looks like notes').count(), 1, 'the one that is imitated is not suspect');
    await window.screenshot('tree-with-a-look-alike');
  });

  it('… and in the question', async () => {
    const part = freePart('', [LOOK_ALIKE], new Set(['notes']));
    await window.send(callTool(`${part}__create_entities`, { entities: [] }));
    await window.cardButton('Deny').waitFor();
    const card = (await window.page.locator('.interactive-session').innerText()).replaceAll('\u00a0', ' ');
    assert.match(card, /looks like the name of another server, notes/);
    await window.screenshot('question-about-a-look-alike');
    await window.cardButton('Deny').click();
    assert.match(await window.result(), /^The user denied/);
  });

  it('what an entry wants to run without a question is proposed; its rules are listed, and hold', async () => {
    await window.send(
      callTool('notes__delete_all_notes'),
      callTool('notes__add_note', { title: 'Proposed', text: 'x' }),
    );
    await window.cardButton('Deny').click();
    const { results } = await window.turnEnded();
    assert.match(results[0]?.text ?? '', /a rule in the server’s configuration denies .*\(notes are kept\)/);
    assert.match(results[1]?.text ?? '', /^The user denied/);
    await window.runCommand('MCP Switchboard: Manage Permissions');
    await window.pickRow('Deny delete_all_notes').waitFor();
    await window.screenshot('permissions-of-an-entry');
    await window.pickRow('proposes to always allow it').click();
    await window.dialogButton('Always Allow This Tool').click();
    await window.send(callTool('notes__add_note', { title: 'Proposed', text: 'x' }));
    assert.match(await window.result(), /Added the note/);
    // Taken back in the tree.
    await window.page.locator('.sidebar .pane-header', { hasText: 'Permissions' }).click();
    const row = window.page.locator('.sidebar .monaco-list-row[aria-label^="Allowed: add_note on notes"]');
    await row.hover();
    await window.screenshot('permissions-tree');
    await row.locator('.action-label[aria-label*="Revoke"]').click();
    await row.waitFor({ state: 'detached' });
    await window.send(callTool('notes__add_note', { title: 'Proposed', text: 'y' }));
    await window.cardButton('Deny').click();
    assert.match(await window.result(), /^The user denied/);
  });

  it('a workspace’s hook runs once it is approved, and blocks with its reason', async () => {
    await window.send(callTool('notes__list_notes'));
    assert.doesNotMatch(await window.result(), /denied/);
    await window.runCommand('MCP Switchboard: Review Workspace Hooks');
    await window.page.locator('.monaco-dialog-box').getByText(COMMAND).waitFor();
    await window.screenshot('approval-of-hooks');
    await window.page.keyboard.press('Enter');
    await window.dialogButton('Approve').waitFor({ state: 'detached' });
    await window.send(callTool('notes__list_notes'));
    assert.doesNotMatch(await window.result(), /denied/);
    await window.runCommand('MCP Switchboard: Review Workspace Hooks');
    await window.dialogButton('Approve').click();
    await window.send(callTool('notes__list_notes'));
    assert.match(await window.result(), /^Denied: a hook denied it: the workspace says no/);
  });

  it('a call that timed out is kept: it can be copied without its secrets, tried again, viewed and discarded', async () => {
    const secret = 'correct horse battery staple';
    const args = { duration: 5, steps: 1, password: secret };
    await window.send(callTool('everything__trigger-long-running-operation', args));
    assert.match(await window.result(), /got no answer within 2 s/);
    const openList = async (): Promise<void> => {
      await window.runCommand('MCP Switchboard: Show Failed Calls');
      await window.pickRow('mcp__everything__trigger-long-running-operation').waitFor();
    };
    await openList();
    await window.screenshot('failed-calls');
    await window.pickRow('mcp__everything__trigger-long-running-operation').click();
    await window.pickRow('Copy').click();
    await window.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    const copied = await window.clipboard();
    assert.ok(copied.startsWith('mcp__everything__trigger-long-running-operation\n'), copied);
    assert.match(copied, /"password": "•••"[\s\S]*got no answer within 2 s/);
    assert.ok(!copied.includes(secret), copied);
    await openList();
    await window.pickRow('mcp__everything__trigger-long-running-operation').click();
    await window.pickRow('Run Again').click();
    await window.dialogButton('Run Again').click();
    await window.page.locator('.notification-toast', { hasText: 'got no answer within 2 s' }).waitFor();
    await openList();
    assert.equal(await window.page.locator('.quick-input-widget .monaco-list-row').count(), 2, 'the new failure only');
    await window.pickRow('mcp__everything__trigger-long-running-operation').click();
    await window.pickRow('View').click();
    await window.page.locator('.editor-instance .monaco-editor').getByText('"duration"').waitFor();
    await window.screenshot('failed-call');
    await openList();
    await window.pickRow('mcp__everything__trigger-long-running-operation').click();
    await window.pickRow('Discard').click();
    await window.runCommand('MCP Switchboard: Show Failed Calls');
    await window.page.getByText('No failed calls.').first().waitFor();
  });

  it('statistics say per tool how often it was called, failed, and how long it took', async () => {
    await window.runCommand('MCP Switchboard: Show Call History');
    await window.pickRow('Show Usage').click();
    const frame = await pageNamed(window, 'Usage');
    await frame.getByRole('button', { name: 'Show as Tables' }).click();
    const rowOf = (tool: string): Locator =>
      frame.getByRole('table', { name: 'Tools' }).getByRole('row').filter({ hasText: tool });
    const cellsOf = (tool: string): Promise<string[]> => rowOf(tool).getByRole('cell').allInnerTexts();
    // The server, the calls, the errors, and the median.
    const long = await cellsOf('mcp__everything__trigger-long-running-operation');
    assert.deepEqual(long.slice(0, 4), ['everything', '2', '2', '–']);
    const list = await cellsOf('mcp__notes__list_notes');
    assert.deepEqual(list.slice(0, 3), ['notes', '3', '0']);
    assert.match(list[3] ?? '', /^\d+$/);
    await window.screenshot('statistics');
    await window.runCommand('MCP Switchboard: Show Call History');
    await window.pickRow('Denied: a hook denied it').click();
    const editor = window.page.locator('.editor-instance .monaco-editor').last();
    await editor.getByText('the workspace says no').first().waitFor();
    await window.screenshot('history-entry');
    assert.equal(await window.page.locator('.tab.dirty').count(), 0, 'nothing that was shown wants to be saved');
  });

  it('a failed call’s row runs it again and discards it, and that of all discards them', async () => {
    const long = (seconds: number): Promise<void> =>
      window.send(callTool('everything__trigger-long-running-operation', { duration: seconds, steps: 1 }));
    const rows = (text: string): Locator => pane(window, 'Activity').locator('.monaco-list-row', { hasText: text });
    const failed = rows('got no answer within 2 s');
    for (const seconds of [5, 6]) {
      await long(seconds);
      await window.turnEnded();
    }
    await window.showTree();
    await window.expand('Failed Calls');
    await failed.nth(1).waitFor();
    await window.screenshot('failed-rows');
    await clickAction(failed.first(), 'Run Again');
    await window.dialogButton('Run Again').click();
    await window.page.locator('.notification-toast', { hasText: 'got no answer within 2 s' }).waitFor();
    await window.runCommand('Notifications: Clear All Notifications');
    await clickAction(failed.first(), 'Discard Failed Call');
    await window.until(async () => (await failed.count()) === 1);
    await clickAction(rows('Failed Calls'), 'Discard All Failed Calls');
    await window.dialogButton('Discard All').click();
    await failed.first().waitFor({ state: 'detached' });
  });
});
