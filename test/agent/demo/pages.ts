import { strict as assert } from 'node:assert';
import type { Frame } from 'playwright-core';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { callTool } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';
import { axeFaults, pageNamed } from '../../support/webPages.ts';

const THEMES = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  contrast: 'Default High Contrast',
  'contrast-light': 'Default High Contrast Light',
};

export function pages(useWindow: UseSharedWindow): void {
  describe('the pages', () => {
    let window: AgentWindow;
    useWindow({}, async (opened) => {
      window = opened;
      await window.choosePermissions('Default permissions');
    });

    /** Looks for faults in each theme, as drawings and as tables. */
    async function isAccessible(frame: Frame, name: string): Promise<void> {
      for (const [theme, label] of Object.entries(THEMES)) {
        await window.changeSettings({ 'workbench.colorTheme': label });
        await frame
          .locator(theme.startsWith('contrast') ? 'body.vscode-high-contrast' : `body.vscode-${theme}`)
          .waitFor();
        assert.deepEqual(await axeFaults(frame), [], `${name}, ${theme}`);
        await window.screenshot(`${name}-${theme}`);
        await frame.locator('body').press('t');
        assert.deepEqual(await axeFaults(frame), [], `${name} as tables, ${theme}`);
        await window.screenshot(`${name}-${theme}-tables`);
        await frame.locator('body').press('t');
      }
      await window.changeSettings({ 'workbench.colorTheme': null });
    }

    it('Context Budget: what tools cost, as bars and as tables, without a fault in any theme', async () => {
      await window.send(callTool('notes__list_notes'));
      await window.turnEnded();
      await window.runCommand('MCP Switchboard: Show Context Budget');
      const frame = await pageNamed(window, 'Context Budget');
      await frame.getByRole('button', { name: 'notes' }).first().waitFor();
      await isAccessible(frame, 'page-budget');
    });
  });
}
