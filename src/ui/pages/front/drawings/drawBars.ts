import type { Drawing, TableBlock } from '../../pageContent.ts';
import { drawSpans } from './drawSpans.ts';
import { rowName } from '../drawTable.ts';
import { element } from '../elements.ts';
import type { PageView } from '../pageView.ts';
import type { VisibleRow } from '../visibleRows.ts';

/** A group of bars per row, all by one scale, each with its number. */
export function drawBars(
  view: PageView,
  block: TableBlock,
  { kind, series }: Drawing,
  rows: readonly VisibleRow[],
): HTMLElement {
  if (kind === 'spans') return drawSpans(view, block, series, rows);
  const { rows: all, columns } = block;
  const numberOf = (cells: VisibleRow['row']['cells'], column: number): number => {
    const cell = cells[column];
    return typeof cell === 'number' ? cell : 0;
  };
  const largest = Math.max(
    1,
    ...all.map(({ cells }) => Math.max(...series.map(({ column }) => numberOf(cells, column)))),
  );
  const group = (visible: VisibleRow): HTMLElement => {
    const { cells } = visible.row;
    const bars = series.map(({ column, tone }) => {
      const bar = element('span', { class: `bar ${tone}`, 'aria-hidden': 'true' });
      bar.hidden = numberOf(cells, column) === 0;
      bar.style.inlineSize = `${(80 * numberOf(cells, column)) / largest}%`;
      const label = element('span', { class: 'unseen' }, `${columns[column]?.label ?? ''}: `);
      return element(
        'span',
        { class: 'track' },
        bar,
        element('span', { class: 'value' }, label, view.text(cells[column] ?? null)),
      );
    });
    return element(
      'li',
      { class: `level-${visible.level}` },
      element('div', { class: 'row-name' }, rowName(view, visible)),
      element('div', { class: 'tracks' }, ...bars),
    );
  };
  return element('ul', { class: 'bars' }, ...rows.map(group));
}
