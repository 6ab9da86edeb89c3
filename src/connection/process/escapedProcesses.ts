import type { ProcessIdentity } from './processIdentity.ts';
import type { ProcessRow } from './processTable.ts';

/** Programs that open something for a person. What they open (a browser) is the person's. */
export const OPENERS: ReadonlySet<string> = new Set([
  'xdg-open',
  'gio',
  'gnome-open',
  'kde-open',
  'kde-open5',
  'exo-open',
  'wslview',
  'wsl-open',
]);

/** Whose escaped are looked for. */
export interface EscapedFrom {
  /** The leader of the server's process group; what of it is in that group is no stray. */
  readonly leader?: number;
  /** Whether a mark is that of the server. */
  isMark(mark: string): boolean;
  /** What was of the server earlier. */
  readonly known?: readonly ProcessIdentity[];
}

/**
 * What a server started and what left its process group (`setsid`, a shell with job control, a double fork): found by
 * the mark in its environment, by its ancestors while they live, or because it was found before. Not what was opened for
 * a person, as far as that can be seen. Pure.
 */
export function findEscaped(rows: readonly ProcessRow[], owner: EscapedFrom): readonly ProcessRow[] {
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const known = new Set(owner.known?.map(({ pid, start }) => `${pid} ${start}`));
  const descends = (row: ProcessRow | undefined, depth = 0): boolean =>
    row !== undefined &&
    depth < 100 &&
    row.pid > 1 &&
    (row.parent === owner.leader || descends(byPid.get(row.parent), depth + 1));
  return rows.filter((row) => {
    if (row.pid <= 1 || row.pid === process.pid || (owner.leader !== undefined && row.group === owner.leader))
      return false;
    if (row.isApplication || OPENERS.has(byPid.get(row.session)?.name ?? '')) return false;
    return (
      (row.mark !== undefined && owner.isMark(row.mark)) ||
      known.has(`${row.pid} ${row.start}`) ||
      (owner.leader !== undefined && descends(row))
    );
  });
}

/** Signals each of them; one that is gone is no error. */
export function signalAll(rows: readonly ProcessIdentity[], signal: NodeJS.Signals): void {
  for (const { pid } of rows) {
    try {
      process.kill(pid, signal);
    } catch {
      // Gone, or another user's.
    }
  }
}
