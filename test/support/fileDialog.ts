import type { AgentWindow } from './agentWindow.ts';

/**
 * Answers the editor's own dialog for files, known by its title. It reads folders in its own time, takes no answer meanwhile, and puts
 * its own text back: so it is given again until it closes, and never to the box that comes next. Folders end with a slash.
 */
export async function giveFile(window: AgentWindow, title: string, file: string): Promise<void> {
  const { page } = window;
  const dialog = page.locator('.quick-input-widget:visible', {
    has: page.locator('.quick-input-title', { hasText: title }),
  });
  const box = dialog.locator('.quick-input-box input').first();
  await box.waitFor();
  const givenNow = (): Promise<string> => box.inputValue({ timeout: 1_000 }).catch(() => '');
  const isTaken = async (): Promise<boolean> => !(await dialog.isVisible()) || (await givenNow()) !== file;
  await window.until(async () => {
    if (!(await dialog.isVisible())) return true;
    const given = await givenNow();
    // Its first text is a folder: until that is there, it would be put over the answer.
    if (!given.includes('/')) return false;
    if (given === file) {
      await box.press('Enter', { timeout: 1_000 }).catch(() => undefined);
      // A second key at once could reach what comes next.
      await window.until(isTaken, 5_000).catch(() => undefined);
    } else await box.fill(file, { timeout: 1_000 }).catch(() => undefined);
    return false;
  });
}
