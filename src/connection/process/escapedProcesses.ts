import type { ProcessIdentity } from './processIdentity.ts';
import type { ProcessRow } from './processTable.ts';

/** Programs that open something for the user, e.g. a browser, which must not be killed. */
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

/** The server whose escaped processes are looked for. */
export interface EscapedFrom {
  /** The leader of the server's process group. */
  readonly leader?: number;
  /** Whether a mark is the server's. */
  isMark(mark: string): boolean;
  /** Escaped processes found earlier. */
  readonly known?: readonly ProcessIdentity[];
}

/**
 * The processes of a server that left its process group (`setsid`, a shell with job control, a double fork): found by the
 * mark in their environment, by their ancestors while those live, or because they were found before. Without what was
 * opened for the user, as far as that can be seen. Pure.
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
