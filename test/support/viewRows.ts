import type { Locator } from 'playwright-core';
import type { AgentWindow } from './agentWindow.ts';

/** A view of the sidebar, by its title. */
export function pane({ page }: AgentWindow, title: string): Locator {
  return page.locator('.sidebar .pane', { has: page.locator('.pane-header', { hasText: title }) });
}

/** By keyboard: to a view, and down to the first row of it that has this text. */
export async function focusRow(window: AgentWindow, title: string, text: string): Promise<void> {
  await window.runCommand(`MCP Switchboard: Focus on ${title} View`);
  const view = pane(window, title);
  await view.locator('.monaco-list:focus').waitFor();
  const row = view.locator('.monaco-list-row.focused', { hasText: text });
  await window.page.keyboard.press('Home');
  await window.until(async () => {
    if (await row.isVisible()) return true;
    await window.page.keyboard.press('ArrowDown');
    return row.isVisible();
  });
}

/** By keyboard: an entry of the menu of the row that has the focus. */
export async function pickFromRowMenu(window: AgentWindow, label: string): Promise<void> {
  await window.page.keyboard.press('Shift+F10');
  const focused = window.page.locator('.context-view .action-item.focused', { hasText: label });
  await window.until(async () => {
    if (await focused.isVisible()) return true;
    await window.page.keyboard.press('ArrowDown');
    return focused.isVisible();
  });
  await window.page.keyboard.press('Enter');
  await focused.waitFor({ state: 'detached' });
}
