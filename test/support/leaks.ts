import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { setDisposableTracker, type Disposable } from '../../src/base/disposable.ts';

/** How long what was stopped may take to be gone, in milliseconds. */
const PATIENCE_MS = 3000;
const MARK = 'MCP_SWITCHBOARD_LEAK_MARK';

/**
 * For a mocha suite: fails it when a disposable made in it is not disposed at its end, or a process started in it
 * survives it. Call it first in `describe`. Processes are found on Linux only: as descendants, and, where they lost
 * their parent, by a mark in the environment that they inherit.
 */
export function useLeakCheck(): void {
  const alive = new Map<Disposable, Error>();
  const mark = `${process.pid}-${Math.random().toString(36).slice(2)}`;

  before(function () {
    // Added here, it comes after the suite's own.
    this.test?.parent?.afterAll('leaves nothing behind', check);
    process.env[MARK] = mark;
    alive.clear();
    setDisposableTracker({
      created: (disposable) => alive.set(disposable, new Error('created here')),
      disposed: (disposable) => alive.delete(disposable),
    });
  });

  async function check(this: Mocha.Context): Promise<void> {
    this.timeout(PATIENCE_MS + 5000);
    const deadline = Date.now() + PATIENCE_MS;
    while (Date.now() < deadline && (alive.size > 0 || survivors(mark).length > 0)) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    setDisposableTracker(undefined);
    delete process.env[MARK];
    const left = survivors(mark);
    for (const { pid } of left) endProcess(pid);
    const [first] = [...alive.values()];
    assert.deepEqual(left, [], 'processes survive this suite');
    assert.equal(alive.size, 0, `${alive.size} disposables were not disposed; the first: ${first?.stack}`);
  }
}

/** A live process: which, and what it runs. */
export interface LiveProcess {
  readonly pid: number;
  readonly command: string;
}

/** The live processes that descend from this one or have `mark` in their environment. Empty where there is no /proc. */
function survivors(mark: string): readonly LiveProcess[] {
  if (process.platform !== 'linux') return [];
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const stat = pid ? read(`/proc/${pid}/stat`) : '';
    // proc(5): the second field is the command in parentheses and may hold blanks and parentheses itself.
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state && state !== 'Z' && state !== 'X') parents.set(pid, Number(parent));
  }
  const isOurs = (pid: number): boolean => {
    for (let at: number | undefined = parents.get(pid); at; at = parents.get(at)) if (at === process.pid) return true;
    return read(`/proc/${pid}/environ`).includes(`${MARK}=${mark}`);
  };
  return [...parents.keys()]
    .filter((pid) => pid !== process.pid && isOurs(pid))
    .map((pid) => ({ pid, command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim().slice(0, 200) }))
    .filter(({ command }) => command !== '');
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone by itself.
  }
}
