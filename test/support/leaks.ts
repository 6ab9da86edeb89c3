import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { setDisposableTracker, type Disposable } from '../../src/base/disposable.ts';
import { eventually } from './eventually.ts';

/** How long what was stopped may take to be gone, in milliseconds. */
const PATIENCE_MS = 10_000;
const MARK = 'MCP_SWITCHBOARD_LEAK_MARK';

/**
 * Mocha's root hooks, by .mocharc.json: each suite at the top of a file fails when a disposable that was made in it is not
 * disposed at its end, or a process that was started in it survives it. Processes are found on Linux only: as descendants,
 * and, where they lost their parent, by a mark in the environment that they inherit.
 */
export const mochaHooks = {
  beforeAll(this: Mocha.Context): void {
    const alive = new Map<Disposable, Error>();
    const mark = `${process.pid}-${Math.random().toString(36).slice(2)}`;
    process.env[MARK] = mark;
    setDisposableTracker({
      created: (disposable) => alive.set(disposable, new Error('created here')),
      disposed: (disposable) => alive.delete(disposable),
    });
    // Added here, it comes after each suite's own.
    for (const suite of this.test?.parent?.suites ?? [])
      suite.afterAll('leaves nothing behind', async function (this: Mocha.Context) {
        this.timeout(PATIENCE_MS + 20_000);
        await nothingLeft(alive, mark);
      });
  },
};

async function nothingLeft(alive: Map<Disposable, Error>, mark: string): Promise<void> {
  const isClean = (): boolean => alive.size === 0 && survivors(mark).length === 0;
  await eventually('nothing is left', isClean, PATIENCE_MS).catch(() => undefined);
  const left = survivors(mark);
  for (const { pid } of left) endProcess(pid);
  const [first] = alive.values();
  const { size } = alive;
  alive.clear();
  assert.deepEqual(left, [], 'processes survive this suite');
  assert.equal(size, 0, `${size} disposables were not disposed; the first: ${first?.stack}`);
}

/** A live process: which, and what it runs. */
export interface LiveProcess {
  readonly pid: number;
  readonly command: string;
}

/** Processes of others, by pid and start time: machines have hundreds, and they are looked at after each suite, again and again. */
const unmarked = new Set<string>();

/** The live processes that descend from this one or have `mark` in their environment. Empty where there is no /proc. */
function survivors(mark: string): readonly LiveProcess[] {
  if (process.platform !== 'linux') return [];
  const parents = new Map<number, number>();
  const keys = new Map<number, string>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const stat = pid ? read(`/proc/${pid}/stat`) : '';
    // proc(5): the second field is the command in parentheses and may hold blanks and parentheses itself.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent] = fields;
    if (!state || state === 'Z' || state === 'X') continue;
    parents.set(pid, Number(parent));
    keys.set(pid, `${pid}:${fields[19]}`);
  }
  const isOurs = (pid: number): boolean => {
    for (let at: number | undefined = parents.get(pid); at; at = parents.get(at)) if (at === process.pid) return true;
    const key = keys.get(pid) ?? '';
    if (unmarked.has(key)) return false;
    const environment = read(`/proc/${pid}/environ`);
    const isMarked = environment.includes(`${MARK}=${mark}`);
    // A program keeps the environment that it began with; there is none in the moment that it begins.
    if (!isMarked && environment !== '') unmarked.add(key);
    return isMarked;
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
