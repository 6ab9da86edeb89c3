import { strict as assert } from 'node:assert';
import type { Locator } from 'playwright-core';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { callTool } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';
import { focusRow, pane, pickFromRowMenu } from '../../support/viewRows.ts';

const THEMES = { dark: 'Default Dark Modern', light: 'Default Light Modern', contrast: 'Default High Contrast' };

export function activity(useWindow: UseSharedWindow): void {
  describe('the views Activity and Permissions, and the status bar, by keyboard', () => {
    let window: AgentWindow;
    useWindow({}, async (opened) => {
      window = opened;
      await window.choosePermissions('Default permissions');
    });

    const status = (text: string): Locator => window.page.locator('.statusbar-item', { hasText: text });

    /** As the group says, since only some rows are drawn. */
    const recentCalls = async (): Promise<number> => {
      const group = pane(window, 'Activity').locator('.monaco-list-row', { hasText: 'Recent Calls' });
      return Number(/\d+/.exec(await group.innerText())?.[0]);
    };

    it('a call that asks is seen outside of the chat, and can be cancelled without the mouse', async () => {
      await window.send(callTool('notes__delete_note', { title: 'Ideas' }));
      await window.cardButton('Deny').waitFor();
      await status('MCP 4/4').locator('.codicon-comment').waitFor();
      await focusRow(window, 'Activity', 'delete_note');
      await window.screenshot('activity-question');
      const row = pane(window, 'Activity').locator('.monaco-list-row.focused');
      assert.match(
        (await row.getAttribute('aria-label')) ?? '',
        /^delete_note on notes, waiting for your answer, since/,
      );
      await pickFromRowMenu(window, 'Cancel Call');
      await window.cardButton('Deny').waitFor({ state: 'hidden' });
      assert.match(await window.result(), /^The user cancelled mcp__notes__delete_note\. It did not run\./);
      assert.ok(window.notes().some((name) => name.includes('Ideas')));
      await status('MCP 4/4').locator('.codicon-plug').waitFor();
    });

    it('a call that runs is cancelled from the palette: its server is told, and the agent goes on', async () => {
      await window.send(callTool('everything__trigger-long-running-operation', { duration: 300, steps: 3 }));
      await pane(window, 'Activity').locator('.monaco-list-row', { hasText: 'everything · since' }).waitFor();
      await window.screenshot('activity-running');
      await window.runCommand('MCP Switchboard: Cancel Call');
      await window.pickRow('trigger-long-running-operation').waitFor();
      await window.pressInBox('Enter');
      assert.match(await window.result(), /^The user cancelled .*It may have run in part\./);
    });

    it('why a call was allowed, its record, and running it again, from its row', async () => {
      await window.send(callTool('notes__list_notes'));
      await window.turnEnded();
      await focusRow(window, 'Activity', 'list_notes');
      await window.page.keyboard.press('Enter');
      const editor = window.page.locator('.editor-instance .monaco-editor').last();
      await editor.getByText('Why: Allowed: this tool is marked read-only').waitFor();
      await window.screenshot('activity-call');
      await focusRow(window, 'Activity', 'list_notes');
      await pickFromRowMenu(window, 'Why This Decision?');
      await window.page.locator('.notification-toast', { hasText: 'list_notes: Allowed' }).waitFor();
      await window.runCommand('Notifications: Clear All Notifications');
      await focusRow(window, 'Activity', 'list_notes');
      const before = await recentCalls();
      await pickFromRowMenu(window, 'Run Again');
      await window.dialogButton('Run Again').waitFor();
      await window.screenshot('activity-run-again');
      await window.dialogButton('Run Again').press('Enter');
      await window.page.locator('.tab.active', { hasText: 'list_notes.txt' }).waitFor();
      assert.equal(await window.page.locator('.tab.dirty').count(), 0);
      await window.until(async () => (await recentCalls()) === before + 1);
    });

    it('planned calls are run and discarded from the palette', async () => {
      await window.runCommand('MCP Switchboard: Toggle Plan Mode');
      await window.send(callTool('notes__add_note', { title: 'FromPalette', text: 'x' }));
      await window.turnEnded();
      await window.runCommand('MCP Switchboard: Run Planned Call');
      await window.pickRow('FromPalette').waitFor();
      await window.pressInBox('Enter');
      await window.dialogButton('Run').press('Enter');
      await window.until(() => window.notes().some((name) => name.includes('FromPalette')));
      await window.runCommand('MCP Switchboard: Toggle Plan Mode');
      await window.runCommand('MCP Switchboard: Discard Planned Call');
      await window.page.getByText('No planned calls.').first().waitFor();
      await window.runCommand('Notifications: Clear All Notifications');
    });

    it('a run of the plan says how far it is, and is cancelled in its notification: what runs ends, the rest is still planned', async () => {
      const operation = 'trigger-long-running-operation';
      await window.changeSettings({ 'mcpSwitchboard.planMode.writePatterns': ['mcp_*_trigger_*'] });
      await window.runCommand('MCP Switchboard: Toggle Plan Mode');
      await window.send(
        callTool('notes__list_notes'),
        callTool(`everything__${operation}`, { duration: 0.1, steps: 1 }),
        callTool(`everything__${operation}`, { duration: 600, steps: 2 }),
        callTool(`everything__${operation}`, { duration: 0.1, steps: 1 }),
      );
      await window.turnEnded();
      await window.runCommand('MCP Switchboard: Run All Planned Calls');
      await window.dialogButton('Run All').press('Enter');
      const running = window.page.locator('.notification-toast', { hasText: 'Running the plan: 2 of 3' });
      await running.waitFor();
      await window.screenshot('plan-running');
      await running.locator('.monaco-button', { hasText: 'Cancel' }).click();
      await window.page
        .locator('.notification-toast', { hasText: 'Cancelled. 1 of 3 calls ran, the others are still planned.' })
        .waitFor();
      await window.screenshot('plan-cancelled');
      const plan = pane(window, 'Activity').locator('.monaco-list-row', { hasText: operation });
      await plan.filter({ hasText: 'cancelled' }).first().waitFor();
      await window.changeSettings({ 'mcpSwitchboard.planMode.writePatterns': null });
      await window.runCommand('MCP Switchboard: Toggle Plan Mode');
      await window.runCommand('MCP Switchboard: Discard All Planned Calls');
      await window.page.getByText('Discard 2 planned calls?').waitFor();
      await window.dialogButton('Discard All').press('Enter');
      await window.runCommand('Notifications: Clear All Notifications');
    });

    it('a permission is revoked from its row and given back by an undo', async () => {
      await window.send(callTool('notes__add_note', { title: 'Kept', text: 'a' }));
      await window.pickFromMenu('Always Allow with These Arguments');
      await window.turnEnded();
      await focusRow(window, 'Permissions', 'add_note on notes');
      const rows = pane(window, 'Permissions').locator('.monaco-list-row', { hasText: 'add_note on notes' });
      assert.match(
        (await rows.getAttribute('aria-label')) ?? '',
        /^Allowed: add_note on notes, always, in this workspace, only with the arguments/,
      );
      await window.screenshot('permissions-rows');
      await pickFromRowMenu(window, 'Revoke Permission');
      await rows.waitFor({ state: 'detached' });
      await window.runCommand('MCP Switchboard: Undo Revoke');
      await rows.waitFor();
      await window.send(callTool('notes__add_note', { title: 'Kept', text: 'a' }));
      assert.match(await window.result(), /Added the note/);
      await window.runCommand('MCP Switchboard: Revoke Permission');
      await window.pickRow('add_note on notes').waitFor();
      await window.pressInBox('Enter');
      await rows.waitFor({ state: 'detached' });
      await window.runCommand('Notifications: Clear All Notifications');
    });

    it('the status bar opens a menu, in every theme and in a small window', async () => {
      const { page } = window;
      const large = page.viewportSize() ?? { width: 1400, height: 900 };
      for (const [name, theme] of Object.entries(THEMES)) {
        await window.changeSettings({ 'workbench.colorTheme': theme });
        await page.locator('.statusbar-item', { hasText: 'MCP 4/4' }).click();
        await window.pickRow('Manage Permissions').waitFor();
        await window.screenshot(`quick-menu-${name}`);
        await page.keyboard.press('Escape');
      }
      await page.setViewportSize({ width: 1100, height: 700 });
      await window.runCommand('MCP Switchboard: Show Menu');
      await window.pickRow('Show Activity').waitFor();
      await window.screenshot('quick-menu-small');
      await window.fillBox('Turn Plan Mode On');
      await window.pressInBox('Enter');
      await window.page.locator('[id="mcp-switchboard.mcp-switchboard.mcpSwitchboard.plan"]').waitFor();
      await window.screenshot('activity-small');
      await window.runCommand('MCP Switchboard: Toggle Plan Mode');
      await page.setViewportSize(large);
    });
  });
}
