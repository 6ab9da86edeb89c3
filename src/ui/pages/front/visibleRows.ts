import type { Row, TableBlock } from '../pageContent.ts';
import { limitOf, type PageState } from './pageState.ts';

/** A row as it is drawn. */
export interface VisibleRow {
  readonly row: Row;
  /** Of the page: `table/row` or `table/row/child`. */
  readonly key: string;
  readonly level: number;
  readonly isOpen: boolean;
}

/** The rows of a table that are drawn, sorted, those below an open row behind it; and how many are left. */
export function visibleRows(
  { id, rows }: TableBlock,
  state: PageState,
): { readonly rows: readonly VisibleRow[]; readonly left: number } {
  const order = sorted(state.sorts[id]);
  const list = (siblings: readonly Row[], parent: string, level: number): VisibleRow[] =>
    order(siblings).flatMap((row) => {
      const key = `${parent}/${row.key}`;
      const isOpen = row.children.length > 0 && state.open.includes(key);
      return [{ row, key, level, isOpen }, ...(isOpen ? list(row.children, key, level + 1) : [])];
    });
  const all = list(rows, id, 0);
  const limit = limitOf(state, id);
  return { rows: all.slice(0, limit), left: Math.max(0, all.length - limit) };
}

function sorted(sort: PageState['sorts'][string] | undefined): (rows: readonly Row[]) => readonly Row[] {
  if (!sort) return (rows) => rows;
  const { column, isDescending } = sort;
  return (rows) => rows.toSorted((one, other) => compare(one.cells[column], other.cells[column], isDescending));
}

/** What isn't known comes last, in either direction. */
function compare(one: Row['cells'][number] | undefined, other: typeof one, isDescending: boolean): number {
  if (one == null || other == null) return Number(one == null) - Number(other == null);
  const order =
    typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other));
  return isDescending ? -order : order;
}
