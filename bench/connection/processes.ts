import { readdirSync, readFileSync } from 'node:fs';

/** The live processes that have `mark` (`NAME=value`) in their environment. Linux only. */
export function markedProcesses(mark: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => !/\) [ZX] /.test(read(`/proc/${name}/stat`)) && read(`/proc/${name}/environ`).includes(mark))
    .map(Number);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
