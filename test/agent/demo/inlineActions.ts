import { strict as assert } from 'node:assert';
import type { Locator } from 'playwright-core';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { callTool } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';
import { clickAction, clickTitle, pane } from '../../support/viewRows.ts';

/** Each button beside a row and in a view's title, by mouse: a contract test insists that none is left out. */
export function inlineActions(useWindow: UseSharedWindow): void {
  describe('the buttons of the views', () => {
    let window: AgentWindow;
    useWindow({}, async (opened) => {
      window = opened;
      await window.choosePermissions('Default permissions');
      await window.showTree();
      // All rows of a view have room then.
      await window.page.setViewportSize({ width: 1400, height: 1_300 });
    });
    after(() => window.page.setViewportSize({ width: 1400, height: 900 }));

    const row = (view: string, text: string): Locator =>
      pane(window, view).locator('.monaco-list-row', { hasText: text }).first();
    const hasNote = (title: string): boolean => window.notes().some((name) => name.includes(title));
    const pid = (): string =>
      window.editor
        .processes()
        .filter(({ command }) => command.includes('mcp-server-memory'))
        .map((each) => each.pid)
        .join(' ');

    it('Servers: Disconnect, Show Log, Connect, Restart, Enable, Copy Tool Name', async () => {
      const memory = window.serverRow('memory');
      await clickAction(memory, 'Disconnect', memory.filter({ hasText: 'Disconnected' }));
      assert.equal(window.serverProcesses()['mcp-server-memory'], 0);
      await clickAction(memory, 'Show Log');
      const log = window.page.locator('.part.panel .monaco-editor .view-lines');
      await log.filter({ hasText: 'memory' }).first().waitFor();
      await window.screenshot('inline-log');
      await window.runCommand('View: Hide Panel');
      await clickAction(memory, 'Connect', memory.filter({ hasText: 'tools' }));
      const before = pid();
      await clickAction(memory, 'Restart');
      await window.until(() => pid() !== '' && pid() !== before);
      await memory.filter({ hasText: 'tools' }).waitFor();
      await window.runOnServer('Disable', 'Select a server to disable', 'memory');
      await memory.filter({ hasText: 'Disabled' }).waitFor();
      await clickAction(memory, 'Enable', memory.filter({ hasText: 'tools' }));
      await window.expandTools('notes');
      await clickAction(row('Servers', 'add_note'), 'Copy Tool Name');
      await window.until(async () => (await window.clipboard()) === 'mcp__notes__add_note');
    });

    it('Servers: the title’s Add Server…, Search Tools…, Filter Servers… and Clear Server Filter', async () => {
      await clickTitle(window, 'Servers', 'Add Server');
      await window.page.getByText('Command or URL').first().waitFor();
      await window.page.keyboard.press('Escape');
      await clickTitle(window, 'Servers', 'Search Tools');
      await window.fillBox('delete_note');
      await window.pickRow('Delete a note').waitFor();
      await window.page.keyboard.press('Escape');
      await clickTitle(window, 'Servers', 'Filter Servers');
      await window.fillBox('notes');
      await window.pressInBox('Enter');
      await window.serverRow('memory').waitFor({ state: 'detached' });
      await clickTitle(window, 'Servers', 'Clear Server Filter');
      await window.serverRow('memory').waitFor();
    });

    it('Activity: Cancel Call; the title’s Show Call History… and Show Usage', async () => {
      await window.send(callTool('notes__delete_note', { title: 'Ideas' }));
      await window.cardButton('Deny').waitFor();
      await clickAction(row('Activity', 'delete_note'), 'Cancel Call');
      assert.match(await window.result(), /^The user cancelled mcp__notes__delete_note/);
      assert.ok(hasNote('Ideas'));
      await clickTitle(window, 'Activity', 'Show Call History');
      await window.pickRow('delete_note').waitFor();
      await window.page.keyboard.press('Escape');
      await clickTitle(window, 'Activity', 'Show Usage');
      await window.page.locator('.tab.active', { hasText: 'Usage' }).waitFor();
      await window.runCommand('View: Close All Editors');
    });

    it('Activity: Toggle Plan Mode; a planned call’s Edit, Run and Discard, and those of all', async () => {
      await clickTitle(window, 'Activity', 'Toggle Plan Mode');
      await row('Activity', 'Plan').waitFor();
      const titles = ['Inline1', 'Inline2', 'Inline3', 'Inline4'];
      await window.send(...titles.map((title) => callTool('notes__add_note', { title, text: 'x' })));
      await window.turnEnded();
      await clickAction(row('Activity', '"Inline1"'), 'Edit Arguments');
      await window.page.locator('.tab.active', { hasText: 'mcp__notes__add_note.json' }).waitFor();
      await window.runCommand('View: Close All Editors');
      await window.screenshot('inline-plan');
      await clickAction(row('Activity', '"Inline1"'), 'Run Planned Call');
      await window.dialogButton('Run').click();
      await window.until(() => hasNote('Inline1'));
      await clickAction(row('Activity', '"Inline2"'), 'Discard Planned Call');
      await row('Activity', '"Inline2"').waitFor({ state: 'detached' });
      await clickAction(row('Activity', 'Plan'), 'Run All Planned Calls');
      await window.dialogButton('Run').click();
      await window.until(() => hasNote('Inline3') && hasNote('Inline4'));
      assert.ok(!hasNote('Inline2'), 'what was discarded didn’t run');
      await window.send(callTool('notes__add_note', { title: 'Inline5', text: 'x' }));
      await window.turnEnded();
      await clickAction(row('Activity', 'Plan'), 'Discard All Planned Calls');
      await window.dialogButton('Discard All').click();
      await row('Activity', '"Inline5"').waitFor({ state: 'detached' });
      await clickTitle(window, 'Activity', 'Toggle Plan Mode');
      assert.ok(!hasNote('Inline5'));
      await window.runCommand('View: Close All Editors');
    });

    it('Activity: Run Again beside a call', async () => {
      await window.send(callTool('notes__list_notes'));
      await window.turnEnded();
      await clickAction(row('Activity', 'list_notes'), 'Run Again');
      await window.dialogButton('Run Again').click();
      await window.page.locator('.tab.active', { hasText: 'list_notes.txt' }).waitFor();
      await window.runCommand('View: Close All Editors');
    });

    it('Permissions: Open Where It Is Set, Revoke Permission, Undo Revoke, Manage Permissions…', async () => {
      await window.changeSettings({
        'mcpSwitchboard.permissions.rules': [{ tool: 'add_note', server: 'notes', action: 'ask' }],
      });
      await window.runCommand('MCP Switchboard: Focus on Permissions View');
      await clickAction(row('Permissions', 'add_note'), 'Open Where It Is Set');
      // Above the other editors.
      await window.page.getByText('Rules for calls: ').first().waitFor();
      await window.screenshot('inline-permission-opened');
      await window.page.getByRole('button', { name: 'Close Modal Editor' }).click();
      await window.changeSettings({ 'mcpSwitchboard.permissions.rules': null });
      await window.send(callTool('notes__add_note', { title: 'Revoked', text: 'a' }));
      await window.pickFromMenu('Always Allow with These Arguments');
      await window.turnEnded();
      await clickAction(row('Permissions', 'add_note on notes'), 'Revoke Permission');
      await row('Permissions', 'add_note on notes').waitFor({ state: 'detached' });
      await window.runCommand('Notifications: Clear All Notifications');
      await clickTitle(window, 'Permissions', 'Undo Revoke');
      await row('Permissions', 'add_note on notes').waitFor();
      await clickTitle(window, 'Permissions', 'Manage Permissions');
      await window.pickRow('add_note on notes').click();
      await row('Permissions', 'add_note on notes').waitFor({ state: 'detached' });
      await window.runCommand('Notifications: Clear All Notifications');
    });
  });
}
