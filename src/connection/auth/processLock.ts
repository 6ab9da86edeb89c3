import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { delay, Sequencer } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { isRecord } from '../../base/json/json.ts';
import { identify, isRunning, type ProcessIdentity } from '../process/processIdentity.ts';
import { ConnectError } from '../connectionFailure.ts';

/** How long one holder may take; then its work is told to end. */
const WORK_LIMIT_MS = 30_000;
/** A lock that is older was left, or its holder hangs. */
const STALE_MS = 60_000;
const WAIT_LIMIT_MS = 45_000;
const LOOK_AGAIN_MS = 25;

/**
 * Lets one at a time do something, over all windows of this machine: a file says who does. The lock of a process that is
 * gone is taken over at once.
 */
export class ProcessLock {
  readonly #folder: string | undefined;
  readonly #clock: Clock;
  readonly #platform: NodeJS.Platform;
  readonly #own = new Map<string, Sequencer>();
  #identity: Promise<ProcessIdentity | undefined> | undefined;

  /** @param folder shared by the windows; without it, only this process is looked after */
  constructor(folder: string | undefined, clock: Clock, platform: NodeJS.Platform) {
    this.#folder = folder;
    this.#clock = clock;
    this.#platform = platform;
  }

  /**
   * Runs `work` while no other work of that name runs.
   * @param name of letters and digits
   * @throws ConnectError `unreachable` where another holder doesn't let go
   */
  exclusively<T>(name: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const sequence = this.#own.get(name) ?? new Sequencer();
    this.#own.set(name, sequence);
    return sequence.run(async () => {
      const release = this.#folder === undefined ? undefined : await this.#take(join(this.#folder, `${name}.lock`));
      const overdue = new AbortController();
      const timer = this.#clock.schedule(WORK_LIMIT_MS, () => overdue.abort(new Error('took too long')));
      try {
        return await work(overdue.signal);
      } finally {
        timer.dispose();
        await release?.();
      }
    });
  }

  async #take(file: string): Promise<() => Promise<void>> {
    await mkdir(this.#folder ?? '', { recursive: true });
    this.#identity ??= identify(process.pid, this.#platform);
    const text = JSON.stringify({ ...(await this.#identity), token: randomUUID() });
    for (let waitedMs = 0; waitedMs < WAIT_LIMIT_MS; waitedMs += LOOK_AGAIN_MS) {
      if (await create(file, text))
        return async () => {
          // It may have been taken over meanwhile.
          if ((await read(file)) === text) await rm(file, { force: true });
        };
      if (!(await this.#takeOver(file))) await delay(LOOK_AGAIN_MS, this.#clock);
    }
    throw new ConnectError('unreachable', 'Another window is busy with this sign-in.', { remedy: 'Try again.' });
  }

  /** Removes the lock of a holder that is gone. One at a time, or one could remove what another has just taken. */
  async #takeOver(file: string): Promise<boolean> {
    const seen = await read(file);
    if (seen === undefined || !(await this.#isLeft(file, seen))) return seen === undefined;
    const guard = `${file}.take`;
    if (!(await create(guard, ''))) {
      if (await isOlderThan(guard, WORK_LIMIT_MS)) await rm(guard, { force: true });
      return false;
    }
    try {
      if ((await read(file)) === seen) await rename(file, `${file}.left`).catch(() => undefined);
    } finally {
      await rm(guard, { force: true });
    }
    return true;
  }

  async #isLeft(file: string, text: string): Promise<boolean> {
    if (await isOlderThan(file, STALE_MS)) return true;
    const holder = holderIn(text);
    // It may be in the middle of being written.
    if (!holder) return isOlderThan(file, 1000);
    return !(await isRunning(holder, this.#platform));
  }
}

async function create(file: string, text: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    return true;
  } catch {
    return false;
  }
}

function read(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

async function isOlderThan(file: string, ms: number): Promise<boolean> {
  const at = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => Infinity,
  );
  return Date.now() - at > ms;
}

function holderIn(text: string): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || typeof value['pid'] !== 'number' || typeof value['start'] !== 'string') return undefined;
    return { pid: value['pid'], start: value['start'] };
  } catch {
    return undefined;
  }
}
