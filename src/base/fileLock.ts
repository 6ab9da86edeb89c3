import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { delay } from './async.ts';
import type { Clock } from './clock.ts';
import type { Disposable } from './disposable.ts';

export interface FileLockOptions {
  readonly clock: Clock;
  /** How long to wait for another process, in milliseconds. */
  readonly waitMs: number;
  /** A lock that nobody has renewed for so long was left by a process that is gone, in milliseconds. */
  readonly staleMs?: number;
  readonly signal?: AbortSignal;
}

const STALE_MS = 10_000;
/** A holder renews its lock so many times before it would count as stale. */
const RENEWALS = 4;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 50;

/**
 * Runs a task while no other process holds the lock. A file system tells nobody when a file goes, so whoever waits looks
 * again, and less and less often.
 * @param file is there as long as the lock is held
 * @returns `undefined` where another holds it for longer than `waitMs`, or the signal aborts before: the task didn't run
 */
export async function withFileLock<T>(
  file: string,
  options: FileLockOptions,
  task: () => Promise<T>,
): Promise<{ readonly value: T } | undefined> {
  const token = randomUUID();
  const { staleMs = STALE_MS } = options;
  if (!(await acquire(file, token, staleMs, options))) return undefined;
  const renewal = keepFresh(file, token, staleMs / RENEWALS, options.clock);
  try {
    return { value: await task() };
  } finally {
    renewal.dispose();
    // A process that slept for longer than `staleMs` may have lost it to another.
    if ((await holderOf(file)) === token) await rm(file, { force: true });
  }
}

async function acquire(
  file: string,
  token: string,
  staleMs: number,
  { clock, waitMs, signal }: FileLockOptions,
): Promise<boolean> {
  await mkdir(dirname(file), { recursive: true });
  let pauseMs = FIRST_PAUSE_MS;
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    if (signal?.aborted) return false;
    if (await created(file, token)) return true;
    if (await isStale(file, staleMs)) {
      await removeStale(file, staleMs);
      if (await created(file, token)) return true;
    }
    if (waitedMs >= waitMs) return false;
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS, Math.max(1, waitMs - waitedMs));
    await delay(pauseMs, clock);
  }
}

/** Whether a file was made that wasn't there. */
async function created(file: string, token: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx');
    try {
      await handle.writeFile(token);
    } finally {
      await handle.close();
    }
    return true;
  } catch {
    return false;
  }
}

async function isStale(file: string, staleMs: number): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > staleMs;
}

/** One process at a time looks again and removes it: else a second one would remove what the first one has made since. */
async function removeStale(file: string, staleMs: number): Promise<void> {
  const removal = `${file}.stale`;
  if (await isStale(removal, staleMs)) await rm(removal, { force: true });
  if (!(await created(removal, ''))) return;
  try {
    if (await isStale(file, staleMs)) await rm(file, { force: true });
  } finally {
    await rm(removal, { force: true });
  }
}

function keepFresh(file: string, token: string, everyMs: number, clock: Clock): Disposable {
  let timer: Disposable;
  const renew = async (): Promise<void> => {
    if ((await holderOf(file)) !== token) return;
    const now = new Date();
    await utimes(file, now, now).catch(() => undefined);
  };
  const schedule = (): void => {
    timer = clock.schedule(everyMs, () => {
      void renew();
      schedule();
    });
  };
  schedule();
  return { dispose: () => timer.dispose() };
}

async function holderOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
