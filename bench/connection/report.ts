import { cpus, platform, release } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A goal: a comparison with a number. */
export type Goal = `${'<=' | '>='} ${number}`;

/**
 * Prints a benchmark's result as its last line, in the form that every benchmark of this project has.
 * @throws Error a slice of ours has no goal
 */
export function report(
  bench: string,
  figures: Readonly<Record<string, number>>,
  goals: Readonly<Record<string, Goal>>,
): void {
  const aimless = Object.keys(figures).filter(
    (name) => /(?<!bare.*)slice.*Ms/i.test(name) && !Object.hasOwn(goals, name),
  );
  if (aimless.length > 0) throw new Error(`slices without a goal: ${aimless.join(', ')}`);
  const pass = Object.entries(goals).every(([name, goal]) => holds(figures[name], goal));
  const environment = {
    node: process.version,
    platform: `${platform()} ${release()}`,
    cpus: cpus().length,
    cpu: cpus()[0]?.model ?? 'unknown',
  };
  console.log(JSON.stringify({ bench, figures: rounded(figures), goals, pass, environment }));
}

function holds(figure: number | undefined, goal: Goal): boolean {
  const [operator, limit] = goal.split(' ');
  if (figure === undefined || Number.isNaN(figure)) return false;
  return operator === '<=' ? figure <= Number(limit) : figure >= Number(limit);
}

function rounded(figures: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Math.round(value * 1000) / 1000]));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** @param q between 0 and 1 */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

/** Collections in a row that free nothing, after which there is nothing to free. */
const IDLE_COLLECTIONS = 3;

/** Bytes of heap in use after everything that can be collected was. */
export async function heapAfterGc(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  let least = Number.POSITIVE_INFINITY;
  // What is freed may hold something that is freed next, and what the engine compiles meanwhile comes and goes.
  for (let idle = 0; idle < IDLE_COLLECTIONS; idle += 1) {
    gc();
    await setImmediate();
    const { heapUsed } = process.memoryUsage();
    if (heapUsed < least) [least, idle] = [heapUsed, 0];
  }
  return least;
}

/** The value of `--name N` on the command line. */
export function option(name: string, fallback: number): number {
  const index = process.argv.indexOf(`--${name}`);
  const value = Number(process.argv[index + 1]);
  return index >= 0 && Number.isFinite(value) ? value : fallback;
}
