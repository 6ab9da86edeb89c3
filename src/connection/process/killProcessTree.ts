import { spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { findEscaped, signalAll } from './escapedProcesses.ts';
import type { ProcessIdentity } from './processIdentity.ts';
import { type ProcessRow, readProcessTable } from './processTable.ts';
import type { TreeKiller } from './stopLadder.ts';

/**
 * The killer of process trees for this platform.
 *
 * @param leader of a process group of its own on POSIX
 * @param mark the value of `MARK_VARIABLE` in its environment and in that of what it starts
 */
export function treeKillerFor(platform: NodeJS.Platform, leader: number, mark: string): TreeKiller {
  return platform === 'win32' ? new WindowsTreeKiller(leader) : new PosixTreeKiller(platform, leader, mark);
}

/** Ends a process and what it started, as far as it is in its group (POSIX) or its tree (Windows). */
export async function endTree(platform: NodeJS.Platform, leader: number, how: 'terminate' | 'kill'): Promise<void> {
  if (platform === 'win32') await taskkill(leader);
  else signalGroup(leader, how === 'terminate' ? 'SIGTERM' : 'SIGKILL');
}

/** Signals the process group, and each process that left it. */
class PosixTreeKiller implements TreeKiller {
  readonly #platform: NodeJS.Platform;
  readonly #leader: number;
  readonly #mark: string;
  #known: readonly ProcessIdentity[] = [];

  constructor(platform: NodeJS.Platform, leader: number, mark: string) {
    this.#platform = platform;
    this.#leader = leader;
    this.#mark = mark;
  }

  async look(): Promise<void> {
    this.#known = await this.#escaped();
  }

  async end(how: 'terminate' | 'kill'): Promise<void> {
    const escaped = await this.#escaped();
    await endTree(this.#platform, this.#leader, how);
    signalAll(escaped, how === 'terminate' ? 'SIGTERM' : 'SIGKILL');
  }

  async hasSurvivors(): Promise<boolean> {
    const hasGroup = signalGroup(this.#leader, 0);
    if (hasGroup && this.#platform !== 'linux') return true;
    const rows = await youngerProcesses(this.#platform);
    // A zombie still counts as a member of its group, but isn't in the table; this process is, where it can be read.
    const isAlive = rows.length === 0 || rows.some(({ group }) => group === this.#leader);
    return (hasGroup && isAlive) || this.#escapedOf(rows).length > 0;
  }

  async #escaped(): Promise<readonly ProcessRow[]> {
    return this.#escapedOf(await youngerProcesses(this.#platform));
  }

  #escapedOf(rows: readonly ProcessRow[]): readonly ProcessRow[] {
    return findEscaped(rows, { leader: this.#leader, isMark: (mark) => mark === this.#mark, known: this.#known });
  }
}

/**
 * Windows has no process groups of this kind and console programs can't be asked to end, so both steps are
 * `taskkill /T /F`. What a server leaves behind that ends by itself, the watchdog finds (windowsWatchdog.ts).
 */
class WindowsTreeKiller implements TreeKiller {
  readonly #leader: number;

  constructor(leader: number) {
    this.#leader = leader;
  }

  async look(): Promise<void> {
    // The tree is found when it is ended.
  }

  end(): Promise<void> {
    return taskkill(this.#leader);
  }

  async hasSurvivors(): Promise<boolean> {
    return false;
  }
}

function taskkill(pid: number): Promise<void> {
  return new Promise((resolve) => {
    const command = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], {
      // Windows looks for programs in the working directory first.
      cwd: process.env['SystemRoot'],
      stdio: 'ignore',
      windowsHide: true,
    });
    command.once('error', () => resolve());
    command.once('exit', () => resolve());
  });
}

/**
 * Of the time that many servers take to stop, reading tables is to take a third at most: they need the processor to end. But on
 * a busy machine, where a table takes long, nobody waits longer than this.
 */
const REST_PER_READ = 2;
const MAX_REST_MS = 30;

/** One table is read at a time; who asks meanwhile shares the next one, as servers do that stop together. */
let reading: Promise<unknown> = Promise.resolve();
let next: Promise<readonly ProcessRow[]> | undefined;
let restUntil = 0;

function youngerProcesses(platform: NodeJS.Platform): Promise<readonly ProcessRow[]> {
  next ??= reading.then(async () => {
    const restMs = restUntil - performance.now();
    if (restMs > 0) await setTimeout(restMs);
    next = undefined;
    const began = performance.now();
    const table = readProcessTable(platform, 'younger');
    reading = table.then(() => {
      const end = performance.now();
      restUntil = end + Math.min((end - began) * REST_PER_READ, MAX_REST_MS);
    });
    return table;
  });
  return next;
}

/** Signals a process group; `false` where there is none. Signal 0 only asks. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}
