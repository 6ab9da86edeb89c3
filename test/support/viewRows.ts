import type { Locator } from 'playwright-core';
import type { AgentWindow } from './agentWindow.ts';
import { eventually } from './eventually.ts';

/** A view of the sidebar, by its title. */
export function pane({ page }: AgentWindow, title: string): Locator {
  return page.locator('.sidebar .pane', { has: page.locator('.pane-header', { hasText: title }) });
}

/** Whether the keys go to the rows of a view. */
const hasFocus = (window: AgentWindow, title: string): Promise<boolean> =>
  pane(window, title).locator('.monaco-list:focus').isVisible();

/**
 * By keyboard: to the rows of a view, where they haven't the focus. A view that was closed has no list yet that could take it, one that
 * is drawn anew may lose it, and the palette gives it back to what had it before as it closes.
 */
export async function focusView(window: AgentWindow, title: string): Promise<void> {
  await window.until(async () => {
    if (await hasFocus(window, title)) return true;
    await window.runCommand(`MCP Switchboard: Focus on ${title} View`);
    return hasFocus(window, title);
  });
}

/** By keyboard: to a view, and down to the first row of it that has this text. */
export async function focusRow(window: AgentWindow, title: string, text: string): Promise<void> {
  const view = pane(window, title);
  await focusView(window, title);
  // Of rows that are there now: a row that is drawn anew between two looks must not be waited for.
  const indexOf = async (rows: Locator): Promise<number | undefined> =>
    (await rows.evaluateAll((all) => all.map((row) => Number(row.getAttribute('data-index')))))[0];
  const focused = view.locator('.monaco-list-row.focused');
  const wanted = view.locator('.monaco-list-row', { hasText: text });
  // The list draws only the rows that have room, and may be scrolled.
  await window.page.keyboard.press('Home');
  // It moves in its own time, so where the focus is decides about the next key; from the end it begins anew.
  let before: number | undefined;
  await window.until(async () => {
    const from = (await indexOf(focused)) ?? -1;
    const to = (await indexOf(wanted)) ?? Number.POSITIVE_INFINITY;
    if (!(await hasFocus(window, title))) return focusView(window, title).then(() => false);
    if (from === to) return true;
    const isAtEnd = to === Number.POSITIVE_INFINITY && from === before;
    await window.page.keyboard.press(isAtEnd ? 'Home' : from < to ? 'ArrowDown' : 'ArrowUp');
    before = from;
    return false;
  });
}

/**
 * By keyboard: an entry of the menu of the row that has the focus.
 * @param prepared run before each try: a view that is drawn anew in between loses the focus, or its rows their selection
 */
export async function pickFromRowMenu(
  window: AgentWindow,
  label: string,
  prepared?: () => Promise<unknown>,
): Promise<void> {
  const menu = window.page.locator('.context-view .monaco-menu').first();
  await window.until(async () => {
    await prepared?.();
    await window.page.keyboard.press('Shift+F10');
    // A key that comes before it moves the focus to another row. With many rows selected it takes a moment.
    return menu.waitFor({ timeout: 20_000 }).then(
      () => true,
      () => false,
    );
  });
  const focused = window.page.locator('.context-view .action-item.focused', { hasText: label });
  await window.until(async () => {
    if (await focused.isVisible()) return true;
    await window.page.keyboard.press('ArrowDown');
    return focused.isVisible();
  });
  await window.page.keyboard.press('Enter');
  await focused.waitFor({ state: 'detached' });
}

/**
 * By mouse: a button beside a row, which is drawn while the pointer is over it. Rows may move under a pointer that rests, and
 * one that is drawn anew between press and release takes no click: it is clicked until `seen` is, where that is given.
 */
export async function clickAction(row: Locator, title: string, seen?: Locator): Promise<void> {
  const action = row.locator(`.action-label[aria-label^="${title}"]`).first();
  await eventually(`${title} beside a row`, async () => {
    if (await seen?.isVisible()) return true;
    await row.hover();
    const isClicked =
      (await action.isVisible()) &&
      (await action.click({ timeout: 2_000 }).then(
        () => true,
        () => false,
      ));
    return isClicked && !seen;
  });
}

/** By mouse: a button in the title of a view. */
export async function clickTitle(window: AgentWindow, view: string, title: string): Promise<void> {
  await clickAction(pane(window, view).locator('.pane-header').first(), title);
}

/** Whether a row has room for all that it says, in a view as wide as it is. */
export function isWhole(row: Locator): Promise<boolean> {
  return row
    .first()
    .locator('.monaco-icon-label')
    .evaluate((label) => {
      const end = label.getBoundingClientRect().right;
      const texts = [...label.querySelectorAll('.label-name, .label-description')];
      return texts.every((text) => text.getBoundingClientRect().right <= end);
    });
}
