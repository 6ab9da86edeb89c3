import { strict as assert } from 'node:assert';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentWindow } from './agentWindow.ts';
import { failureName, useHostedWindow, type HostedWindowOptions, type Late } from './useAgentWindow.ts';

/**
 * What a suite that shares its window calls first in its `describe`. Before its tests, `use` is given the window as if it
 * were a new one: nothing is open, the conversation is new, the notes are those of the demo, and `settings` are in place of
 * all that were changed before. What stays are permissions, the history, and the models' state.
 */
export type UseSharedWindow = (
  settings: Readonly<Record<string, unknown>>,
  use: (window: AgentWindow) => void | Promise<void>,
) => void;

/**
 * One hosted window for several suites, since a window of its own costs a suite half a minute of a processor. Call it first in
 * the `describe` around them, and the suites in an order that suits what each leaves behind.
 */
export function shareHostedWindow(options: Late<HostedWindowOptions> = {}): UseSharedWindow {
  let window: AgentWindow | undefined;
  let isNew = true;

  useHostedWindow(options, (opened) => {
    window = opened;
    if (existsSync(notesOf(opened))) cpSync(notesOf(opened), keptNotesOf(opened), { recursive: true });
  });

  return (settings, use) =>
    before(async function () {
      this.timeout(450_000);
      assert.ok(window, 'the window was opened');
      try {
        if (!isNew) await clear(window);
        isNew = false;
        await window.resetSettings(settings);
        await use(window);
      } catch (error) {
        await window.screenshot(failureName(this.test?.fullTitle() ?? ''));
        throw error;
      }
    });
}

const notesOf = ({ folder }: AgentWindow): string => join(folder, '.data', 'notes');
const keptNotesOf = ({ folder }: AgentWindow): string => join(folder, '.data', 'notes-of-the-demo');

/** Closes what a suite has left open, and puts the notes back that it has deleted. */
async function clear(window: AgentWindow): Promise<void> {
  await window.page.keyboard.press('Escape');
  await window.runCommand('Notifications: Clear All Notifications');
  await closeEditors(window);
  await startConversation(window);
  if (!existsSync(keptNotesOf(window))) return;
  rmSync(notesOf(window), { recursive: true });
  cpSync(keptNotesOf(window), notesOf(window), { recursive: true });
}

/** Without saving what was never a file, as reports are. */
async function closeEditors(window: AgentWindow): Promise<void> {
  const tabs = window.page.locator('.tabs-container .tab');
  const dontSave = window.dialogButton("Don't Save");
  await window.runCommand('View: Close All Editors');
  const closed = async (): Promise<boolean> => (await tabs.count()) === 0;
  await window.until(async () => (await closed()) || dontSave.isVisible());
  if (await dontSave.isVisible()) await dontSave.click();
  await window.until(closed);
}

/** The command has no title of its own in the palette: *New Chat Editor* begins with it. */
async function startConversation(window: AgentWindow): Promise<void> {
  const { page } = window;
  const answers = page.locator('.interactive-session .interactive-response:visible');
  if ((await answers.count()) === 0) return;
  await page.locator('.interactive-session .interactive-input-part .monaco-editor').first().click();
  await page.keyboard.press('Control+L');
  await window.until(async () => (await answers.count()) === 0);
  // A participant may stay in the input.
  await page.locator('.interactive-session .interactive-input-part .monaco-editor').first().click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
}
