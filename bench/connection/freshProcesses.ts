import { spawnSync } from 'node:child_process';
import { median } from './report.ts';

/** What makes a benchmark measure, in a process that this made. */
const ONCE = '--once';

/** Whether this process is one of those, or was started so by hand. */
export const isOnce = process.argv.includes(ONCE);

/**
 * The medians of what a benchmark prints in processes of its own. How a process compiles its code is luck, and moves what a call takes by
 * a half: one process shows nothing.
 */
export function mediansOf(file: string, processes: number): Record<string, number> {
  const runs = Array.from({ length: processes }, () => {
    const { stdout } = spawnSync(process.execPath, [file, ...process.argv.slice(2), ONCE], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return (JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { readonly figures: Record<string, number> }).figures;
  });
  const names = Object.keys(runs[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, median(runs.map((figures) => figures[name] ?? Number.NaN))]));
}
