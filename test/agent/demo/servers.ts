import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { readWrittenJson } from '../../support/readWrittenJson.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';
import { focusRow, pickFromRowMenu } from '../../support/viewRows.ts';

export function servers(useWindow: UseSharedWindow): void {
  describe('the view Servers', () => {
    let window: AgentWindow;
    let original: string;
    const file = (): string => join(window.folder, '.mcp.json');
    const defined = (): Record<string, { readonly disabledTools?: readonly string[] }> =>
      (readWrittenJson(file()) as { mcpServers: ReturnType<typeof defined> }).mcpServers;
    const order = (): string => Object.keys(defined()).join(' ');
    const userServers = (): Record<string, { readonly headers?: Readonly<Record<string, string>> }> => {
      const settings = readWrittenJson(join(window.editor.dataDir, 'data/User/settings.json')) as {
        readonly 'mcpSwitchboard.servers'?: ReturnType<typeof userServers>;
      };
      return settings['mcpSwitchboard.servers'] ?? {};
    };
    const ALL = 'everything filesystem memory notes';

    useWindow({}, async (opened) => {
      window = opened;
      original = readFileSync(file(), 'utf8');
      await window.showTree();
      await window.runCommand('Notifications: Clear All Notifications');
    });

    after(() => writeFileSync(file(), original));

    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await window.page.keyboard.press(key);
    };
    /** The row of a server. */
    const row = (name: string): Locator =>
      window.page.locator(`.sidebar .monaco-list-row[aria-label^="MCP server ${name},"]`).first();
    const focused = (label: string): Locator =>
      window.page.locator(`.sidebar .monaco-list-row.focused[aria-label*="${label}"]`).first();
    const menuItem = (label: string): Locator =>
      window.page.locator('.context-view .monaco-menu .action-item', { hasText: label }).first();
    /** A toast's button, where the notification may already be behind the bell. */
    const undo = (): Promise<void> => window.answerNotification('Undo');

    it('by keyboard alone: opens a server and its tools, shows what a menu has, and moves a server in its file', async () => {
      await window.runCommand('MCP Switchboard: Focus on Servers View');
      await press('Home');
      await focused('everything').waitFor();
      // Closes every row that another suite has opened.
      await press('Control+ArrowLeft', 'Home');
      await window.page
        .locator('.sidebar .monaco-list-row[aria-label^="Tools"]')
        .first()
        .waitFor({ state: 'detached' });
      await press('End');
      await focused('notes').waitFor();
      await press('ArrowRight');
      await window.page.locator('.sidebar .monaco-list-row[aria-label^="Tools"]').first().waitFor();
      await press('ArrowDown');
      await focused('Tools').waitFor();
      await press('ArrowRight');
      await window.page.locator('.sidebar .monaco-list-row[aria-label^="Tool list_notes"]').first().waitFor();
      await press('ArrowDown');
      await focused('Tool list_notes').or(focused('Tool add_note')).first().waitFor();
      await press('Shift+F10');
      await menuItem('Show Tool').waitFor();
      await window.screenshot('servers-tool-menu');
      await press('Escape');
      await press('ArrowLeft');
      await focused('Tools').waitFor();
      await press('ArrowLeft', 'ArrowLeft');
      await focused('notes').waitFor();
      await press('Shift+F10');
      await menuItem('Restart').waitFor();
      assert.doesNotMatch(await menuItem('Restart').innerText(), /…/);
      await window.screenshot('servers-menu');
      await press('Escape');
      await focused('notes').waitFor();
      await press('Alt+ArrowUp');
      await window.until(() => Promise.resolve(order() === 'everything filesystem notes memory'));
      await undo();
      await window.until(() => Promise.resolve(order() === ALL));
      await window.until(async () => (await row('notes').count()) === 1);
    });

    it('shows what fits a filter, says what doesn’t, and keeps it', async () => {
      await window.runCommand('MCP Switchboard: Filter Servers…');
      await window.fillBox('memory');
      await row('notes').waitFor({ state: 'detached' });
      await window.pressInBox('Escape');
      await focusRow(window, 'Servers', 'notes');
      await press('Control+Alt+F');
      await window.fillBox('delete_note');
      await row('memory').waitFor({ state: 'detached' });
      await row('notes').waitFor();
      await window.page.locator('.pane-header .description', { hasText: 'delete_note' }).first().waitFor();
      await window.screenshot('servers-filtered');
      await window.fillBox('delete_note nothing-like-it');
      const clear = window.page.locator('.sidebar .monaco-button', { hasText: 'Clear Filter' });
      await clear.waitFor();
      await press('Enter');
      await window.screenshot('servers-no-match');
      await clear.click();
      await row('memory').waitFor();
    });

    it('a checkbox disables a tool in the file, and enables it again', async () => {
      await window.expandTools('notes');
      const tool = window.treeRow('delete_all_notes');
      await tool.locator('.monaco-custom-toggle').click();
      await window.treeRow('delete_all_notes', 'disabled').waitFor();
      assert.deepEqual(defined()['notes']?.disabledTools, ['delete_all_notes']);
      // What it offers is another, but nobody has to approve it again: the user changed it.
      await row('notes').filter({ hasText: '3 tools' }).waitFor();
      await window.screenshot('servers-checkbox');
      await window.treeRow('delete_all_notes').locator('.monaco-custom-toggle').click();
      await window.treeRow('delete_all_notes', 'destructive').waitFor();
      assert.equal(defined()['notes']?.disabledTools, undefined);
      await row('notes').filter({ hasText: '4 tools' }).waitFor();
    });

    it('disconnects, connects, disables and enables several servers at once, and offers nothing that is for one', async () => {
      for (const [label, state] of [
        ['Disconnect', 'Disconnected'],
        ['Connect', 'tools'],
        ['Disable', 'Disabled'],
        ['Enable', 'tools'],
      ] as const) {
        await row('filesystem').click();
        await row('memory').click({ modifiers: ['ControlOrMeta'] });
        await press('Shift+F10');
        await menuItem(label).waitFor();
        for (const one of ['Move to Scope…', 'Open Inspector', 'Record Session…'])
          assert.equal(await menuItem(one).count(), 0, one);
        await window.screenshot(`servers-several-${label.toLowerCase()}`);
        await press('Escape');
        await pickFromRowMenu(window, label);
        for (const name of ['filesystem', 'memory']) await row(name).filter({ hasText: state }).waitFor();
      }
      await row('notes').filter({ hasText: '4 tools' }).waitFor();
    });

    it('dragging puts a server in front of another one, and in another scope, and each can be undone', async () => {
      await row('notes').dragTo(row('everything'));
      await window.until(() => Promise.resolve(order() === 'notes everything filesystem memory'));
      await undo();
      await window.until(() => Promise.resolve(order() === ALL));
      const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
      const mine = { command: 'never-started', disabled: true, env: { GITHUB_TOKEN: token } };
      await window.changeSettings({ 'mcpSwitchboard.servers': { mine } });
      const scope = window.page.locator('.sidebar .monaco-list-row[aria-label^="Project"]').first();
      await row('mine').waitFor();
      await window.screenshot('servers-scopes');
      await row('mine').dragTo(scope);
      await window.dialogButton('Move').waitFor();
      await window.screenshot('servers-move');
      await window.dialogButton('Move').click();
      await window.until(() => Promise.resolve('mine' in defined()));
      assert.ok(!readFileSync(file(), 'utf8').includes(token), 'its secret stays on this machine');
      await undo();
      await window.until(() => Promise.resolve(!('mine' in defined())));
      await row('mine').waitFor();
      await window.changeSettings({ 'mcpSwitchboard.servers': null });
      await row('mine').waitFor({ state: 'detached' });
    });

    it('Set Header… from a row by keyboard: refuses what is no header, keeps the secret out of the definition, and can be undone', async () => {
      const secret = 'sk-proj-4f9a8b7c6d5e4f3a2b1c';
      // Nobody listens there, and it isn't started.
      const remote = { type: 'http', url: 'http://127.0.0.1:4/mcp', startMode: 'manual' };
      await window.changeSettings({ 'mcpSwitchboard.servers': { remote } });
      await row('remote').waitFor();
      await focusRow(window, 'Servers', 'remote');
      // Rows that stay selected elsewhere would make it a menu of several.
      await press('Enter');
      await focusRow(window, 'Servers', 'remote');
      await pickFromRowMenu(window, 'Set Header…');
      await window.fillBox('no header');
      await window.page.getByText('Write “Name: value”.').first().waitFor();
      await window.screenshot('servers-set-header');
      await window.fillBox(`Authorization: Bearer ${secret}`);
      await window.pressInBox('Enter');
      const header = (): string | undefined => userServers()['remote']?.headers?.['Authorization'];
      await window.until(() => header()?.startsWith('Bearer ${input:') === true);
      assert.ok(!JSON.stringify(userServers()).includes(secret), 'it is in the secret storage');
      await undo();
      await window.until(() => header() === undefined);
      await window.changeSettings({ 'mcpSwitchboard.servers': null });
      await row('remote').waitFor({ state: 'detached' });
    });

    it('Export Servers… from a row gives it in another client’s form, in a tab and copied', async () => {
      await focusRow(window, 'Servers', 'notes');
      await press('Enter');
      await focusRow(window, 'Servers', 'notes');
      await pickFromRowMenu(window, 'Export Servers…');
      await window.pickRow('Codex').waitFor();
      await window.screenshot('servers-export');
      await window.pickRow('Codex').click();
      await window.page.locator('.tab.active', { hasText: 'codex.toml' }).waitFor();
      await window.until(async () => (await window.clipboard()).startsWith('[mcp_servers.notes]'));
      await window.screenshot('servers-exported');
    });

    it('Delete removes all that are selected, after a question that Escape closes, and one Undo gives them back', async () => {
      const entry = { command: 'never-started', disabled: true };
      await window.changeSettings({ 'mcpSwitchboard.servers': { first: entry, second: entry } });
      await row('second').waitFor();
      // Enter selects the row alone: what was selected before stays so while the focus moves.
      const selectBoth = async (): Promise<void> => {
        await focusRow(window, 'Servers', 'first');
        await press('Enter', 'Shift+ArrowDown');
        await window.until(async () => (await window.page.locator('.sidebar .monaco-list-row.selected').count()) === 2);
      };
      await selectBoth();
      await press('Delete');
      const question = window.page.locator('.monaco-dialog-box', { hasText: 'Remove first, second?' });
      await question.waitFor();
      await window.screenshot('servers-remove-selected');
      await press('Escape');
      await question.waitFor({ state: 'detached' });
      assert.equal(Object.keys(userServers()).join(), 'first,second');
      await selectBoth();
      await press('Delete');
      await window.dialogButton('Remove').first().press('Enter');
      for (const name of ['first', 'second']) await row(name).waitFor({ state: 'detached' });
      await undo();
      for (const name of ['first', 'second']) await row(name).waitFor();
      await window.changeSettings({ 'mcpSwitchboard.servers': null });
      await row('first').waitFor({ state: 'detached' });
    });

    it('a tooltip is a table with links, as clear in a light theme and in high contrast', async () => {
      for (const [theme, name] of [
        ['Default Dark Modern', 'dark'],
        ['Default Light Modern', 'light'],
        ['Default High Contrast', 'high-contrast'],
      ] as const) {
        await window.changeSettings({ 'workbench.colorTheme': theme });
        await focusRow(window, 'Servers', 'notes');
        await press('Control+K', 'Control+I');
        const hover = window.page.locator('.monaco-hover:visible', { hasText: 'Memory' });
        await hover.first().waitFor();
        for (const label of ['CPU', 'Tools', 'Definition', 'Log', 'Doctor'])
          await hover.getByText(label, { exact: true }).first().waitFor();
        await window.screenshot(`servers-${name}`);
        await press('Escape');
      }
      await window.changeSettings({ 'workbench.colorTheme': null });
    });
  });
}
