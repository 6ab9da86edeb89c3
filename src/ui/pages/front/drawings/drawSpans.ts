import type { Series, TableBlock } from '../../pageContent.ts';
import { rowName } from '../drawTable.ts';
import { element } from '../elements.ts';
import type { PageView } from '../pageView.ts';
import type { VisibleRow } from '../visibleRows.ts';

/** A bar per row on one axis: where it begins and how long it is. What has no length is a mark. */
export function drawSpans(
  view: PageView,
  { rows: all, columns }: TableBlock,
  series: readonly Series[],
  rows: readonly VisibleRow[],
): HTMLElement {
  const [start, length] = series;
  const numberOf = ({ cells }: VisibleRow['row'], each: Series | undefined): number => {
    const cell = each && cells[each.column];
    return typeof cell === 'number' ? cell : 0;
  };
  const first = all.reduce((least, row) => Math.min(least, numberOf(row, start)), Number.POSITIVE_INFINITY);
  const last = all.reduce((most, row) => Math.max(most, numberOf(row, start) + numberOf(row, length)), first + 1);
  const percent = (value: number): number => (80 * value) / (last - first);
  const line = (visible: VisibleRow): HTMLElement => {
    const { row } = visible;
    const bar = element('span', { class: `bar ${start?.tone ?? 'accent'}`, 'aria-hidden': 'true' });
    bar.style.marginInlineStart = `${percent(numberOf(row, start) - first)}%`;
    bar.style.inlineSize = `max(3px, ${percent(numberOf(row, length))}%)`;
    const label = element('span', { class: 'unseen' }, `${columns[length?.column ?? 0]?.label ?? ''}: `);
    const value = view.text(length ? (row.cells[length.column] ?? null) : null);
    return element(
      'li',
      { class: `level-${visible.level}` },
      element('div', { class: 'row-name' }, rowName(view, visible)),
      element('div', { class: 'track' }, bar, element('span', { class: 'value' }, label, value)),
    );
  };
  return element('ul', { class: 'bars' }, ...rows.map(line));
}
