import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { delay } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import { readRegularFile } from '../../base/files/regularFile.ts';
import { isRecord } from '../../base/json/json.ts';
import { identify, isRunning, type ProcessIdentity } from './processIdentity.ts';

export interface FileLockOptions {
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** How long to wait for another holder, in milliseconds. */
  readonly waitMs: number;
  /** How long the task may take, in milliseconds: then its signal aborts, and the lock is no longer renewed. */
  readonly limitMs?: number;
  /** A lock that nobody has renewed for so long was left, in milliseconds. */
  readonly staleMs?: number;
  readonly signal?: AbortSignal;
}

const MAX_BYTES = 64 * 1024;
const STALE_MS = 10_000;
/** A holder renews its lock so many times before it would count as stale. */
const RENEWALS = 4;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 50;
/** Between two looks at the process of the same holder. */
const LOOK_MS = 1000;

/** The lock can't be had by anybody: its folder isn't there to be written, or the disk is full. */
export class FileLockError extends Error {}

/**
 * Runs a task while no other one on this machine holds the lock. The lock of a process that is gone is taken over at once.
 * A file system tells nobody when a file goes, so whoever waits looks again, and less and less often.
 * @param file is there as long as the lock is held; without one, nobody else can want it
 * @returns `undefined` where another holds it for longer than `waitMs`, or the signal aborts before: the task didn't run
 * @throws FileLockError where the file can't be made; what the task throws
 */
export async function withFileLock<T>(
  file: string | undefined,
  options: FileLockOptions,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<{ readonly value: T } | undefined> {
  const { clock, platform, limitMs } = options;
  const mine = JSON.stringify({ ...(await identify(process.pid, platform)), token: randomUUID() });
  const acquired = file === undefined || (await acquire(file, mine, options).catch(refuse));
  if (!acquired) return undefined;
  const renewal = file === undefined ? undefined : keepFresh(file, mine, options);
  const overdue = new AbortController();
  const limit =
    limitMs === undefined
      ? undefined
      : clock.schedule(limitMs, () => {
          renewal?.dispose();
          overdue.abort(new Error('took too long'));
        });
  try {
    return { value: await task(overdue.signal) };
  } finally {
    limit?.dispose();
    renewal?.dispose();
    // A process that slept for longer than `staleMs` may have lost it to another.
    if (file !== undefined && (await read(file)) === mine) await rm(file, { force: true });
  }
}

function refuse(cause: unknown): never {
  throw new FileLockError(messageOf(cause), { cause });
}

async function acquire(file: string, mine: string, options: FileLockOptions): Promise<boolean> {
  const { clock, platform, waitMs, staleMs = STALE_MS, signal } = options;
  await mkdir(dirname(file), { recursive: true });
  let pauseMs = FIRST_PAUSE_MS;
  /** A holder whose process ran, and when to look at it again. */
  let seen = { holder: '', untilMs: 0 };
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    if (signal?.aborted) return false;
    if (await created(file, mine, platform)) return true;
    const holder = await read(file);
    const isDue = holder !== undefined && (holder !== seen.holder || waitedMs >= seen.untilMs);
    const gone = isDue && (await isGone(holder, platform));
    if (gone || (await isStale(file, staleMs))) {
      await removeLeft(file, holder, gone, options);
      if (await created(file, mine, platform)) return true;
    } else if (isDue) seen = { holder, untilMs: waitedMs + LOOK_MS };
    if (waitedMs >= waitMs) return false;
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS, Math.max(1, waitMs - waitedMs));
    await delay(pauseMs, clock);
  }
}

/** Whether a file was made that wasn't there. */
async function created(file: string, text: string, platform: NodeJS.Platform): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    // Windows refuses what another process is just removing.
    const held = platform === 'win32' ? ['EEXIST', 'EPERM', 'EACCES', 'EBUSY'] : ['EEXIST'];
    if (held.includes(String(isRecord(error) && error['code']))) return false;
    throw error;
  }
}

async function isStale(file: string, staleMs: number): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > staleMs;
}

/** Whether the process that wrote this is certainly gone. A holder may be in the middle of writing it. */
async function isGone(text: string, platform: NodeJS.Platform): Promise<boolean> {
  const holder = identityIn(text);
  if (!holder) return false;
  if (!hasProcess(holder.pid)) return true;
  // Only PowerShell says when a process of Windows started, and where it is blocked, each would look gone.
  return platform !== 'win32' && !(await isRunning(holder, platform));
}

function hasProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return isRecord(error) && error['code'] !== 'ESRCH';
  }
}

function identityIn(text: string): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || typeof value['pid'] !== 'number' || typeof value['start'] !== 'string') return undefined;
    return { pid: value['pid'], start: value['start'] };
  } catch {
    return undefined;
  }
}

/** One process at a time looks again and removes it: else a second one would remove what the first one has made since. */
async function removeLeft(
  file: string,
  holder: string | undefined,
  gone: boolean,
  { platform, staleMs = STALE_MS }: FileLockOptions,
): Promise<void> {
  const removal = `${file}.stale`;
  if (await isStale(removal, staleMs)) await rm(removal, { force: true });
  if (!(await created(removal, '', platform))) return;
  try {
    const isLeft = (await read(file)) === holder && (gone || (await isStale(file, staleMs)));
    // A folder in its place stays.
    if (isLeft) await rm(file, { force: true }).catch(() => undefined);
  } finally {
    await rm(removal, { force: true });
  }
}

function keepFresh(file: string, mine: string, { clock, staleMs = STALE_MS }: FileLockOptions): Disposable {
  let timer: Disposable;
  const renew = async (): Promise<void> => {
    if ((await read(file)) !== mine) return;
    const now = new Date();
    await utimes(file, now, now).catch(() => undefined);
  };
  const schedule = (): void => {
    timer = clock.schedule(staleMs / RENEWALS, () => {
      void renew();
      schedule();
    });
  };
  schedule();
  return { dispose: () => timer.dispose() };
}

async function read(file: string): Promise<string | undefined> {
  return readRegularFile(file, { maxBytes: MAX_BYTES }).catch(() => undefined);
}
