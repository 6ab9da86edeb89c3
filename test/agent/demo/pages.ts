import { strict as assert } from 'node:assert';
import type { Frame, Locator } from 'playwright-core';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { callTool } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';
import { focusRow, pickFromRowMenu } from '../../support/viewRows.ts';
import { axeFaults, pageNamed } from '../../support/webPages.ts';

const THEMES = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  contrast: 'Default High Contrast',
  'contrast-light': 'Default High Contrast Light',
};

/** Presses Tab until this has the focus; from the end it begins anew. */
async function tabTo(window: AgentWindow, target: Locator): Promise<void> {
  await window.until(async () => {
    if (await hasFocus(target)) return true;
    await window.page.keyboard.press('Tab');
    return false;
  });
}

function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element.matches(':focus'));
}

export function pages(useWindow: UseSharedWindow): void {
  describe('the pages', () => {
    let window: AgentWindow;
    useWindow({}, async (opened) => {
      window = opened;
      await window.choosePermissions('Default permissions');
    });

    /** Looks for faults in each theme, as drawings and as tables. */
    async function isAccessible(frame: Frame, name: string): Promise<void> {
      const press = async (pressed: boolean): Promise<void> => {
        await window.page.keyboard.press('t');
        await frame.getByRole('button', { name: 'Show as Tables', pressed }).waitFor();
      };
      for (const [theme, label] of Object.entries(THEMES)) {
        await window.changeSettings({ 'workbench.colorTheme': label });
        const kind = theme.startsWith('contrast') ? 'high-contrast' : theme;
        await frame.locator(`body.vscode-${kind}`).waitFor();
        assert.deepEqual(await axeFaults(frame), [], `${name}, ${theme}`);
        await window.screenshot(`${name}-${theme}`);
        await frame.locator('h1').click();
        await press(true);
        assert.deepEqual(await axeFaults(frame), [], `${name} as tables, ${theme}`);
        await window.screenshot(`${name}-${theme}-tables`);
        await press(false);
      }
      await window.changeSettings({ 'workbench.colorTheme': null });
    }

    it('Context Budget: what tools cost, as bars and as tables, without a fault in any theme', async () => {
      await window.send(callTool('notes__list_notes'));
      await window.turnEnded();
      await window.runCommand('MCP Switchboard: Show Context Budget');
      const frame = await pageNamed(window, 'Context Budget');
      await frame.getByRole('button', { name: 'notes', exact: true }).first().waitFor();
      await isAccessible(frame, 'page-budget');
    });

    it('Context Budget by keyboard alone: its table, a server’s tools, a tool’s quality and its button', async () => {
      await window.runCommand('MCP Switchboard: Show Context Budget');
      const frame = await pageNamed(window, 'Context Budget');
      await frame.getByRole('table', { name: 'Priciest Tools' }).waitFor();
      await tabTo(window, frame.getByRole('button', { name: 'Show as Tables' }));
      await window.page.keyboard.press('Enter');
      const servers = frame.getByRole('table', { name: 'Servers and Their Tools' });
      await servers.waitFor();
      await tabTo(window, frame.getByRole('button', { name: 'notes', exact: true }));
      await window.page.keyboard.press('Enter');
      await servers.getByRole('row', { name: 'delete_note' }).waitFor();
      assert.ok(await hasFocus(frame.getByRole('button', { name: 'notes', exact: true })), 'the focus stays');

      await tabTo(window, frame.getByRole('button', { name: 'Disable: trigger-url-elicitation' }));
      await window.page.keyboard.press('Enter');
      await frame.getByRole('button', { name: 'Disable: trigger-url-elicitation' }).waitFor({ state: 'detached' });
      await window.screenshot('page-budget-disabled');
      await window.showTree();
      await window.expandTools('everything');
      await focusRow(window, 'Servers', 'trigger-url-elicitation');
      await pickFromRowMenu(window, 'Toggle Tool');

      await window.runCommand('MCP Switchboard: Show Context Budget');
      await servers.waitFor();
      await tabTo(window, frame.getByRole('button', { name: 'Quality Hints: trigger-url-elicitation' }));
      await window.page.keyboard.press('Enter');
      await window.page.locator('.tab.active', { hasText: 'trigger-url-elicitation' }).waitFor();
      // Hidden meanwhile, it comes back as it was.
      await window.runCommand('MCP Switchboard: Show Context Budget');
      const again = await pageNamed(window, 'Context Budget');
      await again
        .getByRole('table', { name: 'Servers and Their Tools' })
        .getByRole('row', { name: 'delete_note' })
        .waitFor();
      await again.locator('h1').click();
      await window.page.keyboard.press('t');
    });

    it('Context Budget moves a tool from the agent’s list to search, and back', async () => {
      await window.changeSettings({ 'mcpSwitchboard.alwaysLoadTools': ['notes/*'] });
      await window.runCommand('MCP Switchboard: Show Context Budget');
      const frame = await pageNamed(window, 'Context Budget');
      const row = frame.getByRole('table', { name: 'Priciest Tools' }).getByRole('row').filter({ hasText: 'add_note' });
      await row.filter({ hasText: 'Sent with each request' }).waitFor();
      await row.getByRole('button', { name: 'Move to Search' }).click();
      // It is cheaper than ten others that aren't sent.
      await row.waitFor({ state: 'detached' });
      await window.screenshot('page-budget-moved');
      await window.changeSettings({ 'mcpSwitchboard.searchOnlyTools': null });
      await row.filter({ hasText: 'Sent with each request' }).waitFor();
    });

    it('Usage: calls as they are made, of all tools and of one, without a fault in any theme', async () => {
      await window.runCommand('MCP Switchboard: Show Usage');
      const frame = await pageNamed(window, 'Usage');
      const values = frame.locator('dl .value');
      const count = async (): Promise<number> => Number(await values.first().innerText());
      await frame.locator('svg[role="img"]').first().waitFor();
      const before = await count();
      const failing = callTool('filesystem__read_text_file', { path: 'missing.txt' });
      await window.send(callTool('notes__list_notes'), failing);
      await window.until(async () => (await count()) === before + 2);
      await isAccessible(frame, 'page-usage');

      const choice = frame.getByLabel('Tool', { exact: true });
      await tabTo(window, choice);
      await window.until(async () => {
        if ((await choice.inputValue()) === 'mcp__filesystem__read_text_file') return true;
        await window.page.keyboard.press('ArrowDown');
        return false;
      });
      await window.until(async () => (await count()) < before + 2);
      await window.page.keyboard.press('Shift+Tab');
      await window.page.keyboard.press('Enter');
      await frame.getByRole('table', { name: 'Over Time' }).waitFor();
      await window.screenshot('page-usage-one-tool');
    });
  });
}
