import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

/**
 * Waits until `condition` gives something else than undefined or false, and gives that. For what tells nobody when it
 * changes: a file, a process, a page.
 * @param what is in the error that it throws after `timeoutMs`
 */
export async function eventually<T>(
  what: string,
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs: number = 30_000,
): Promise<T> {
  for (const deadline = Date.now() + timeoutMs; ;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs / 1000} s: ${what}`);
    await delay(LOOK_EVERY_MS);
  }
}
