import type { TableBlock } from '../pageContent.ts';
import { actionButtons, button, element } from './elements.ts';
import type { PageView } from './pageView.ts';
import type { VisibleRow } from './visibleRows.ts';

/** The rows as a table, sorted by the heads of its columns. */
export function drawTable(view: PageView, block: TableBlock, rows: readonly VisibleRow[]): HTMLElement {
  const { columns, title } = block;
  const hasActions = block.rows.some(({ actions }) => actions.length > 0);
  const heads = columns.map((_column, index) => columnHead(view, block, index));
  if (hasActions) heads.push(element('th', { scope: 'col' }, view.content.words.actions));
  return element(
    'div',
    { class: 'scroll' },
    element(
      'table',
      {},
      element('caption', { class: 'unseen' }, title),
      element('thead', {}, element('tr', {}, ...heads)),
      element('tbody', {}, ...rows.map((visible) => tableRow(view, block, visible, hasActions))),
    ),
  );
}

function columnHead(view: PageView, { id, columns }: TableBlock, index: number): HTMLElement {
  const column = columns[index]!;
  const sort = view.state.sorts[id];
  const isSorted = sort?.column === index;
  const direction = sort?.isDescending ? 'descending' : 'ascending';
  const mark = element(
    'span',
    { class: 'mark', 'aria-hidden': 'true' },
    isSorted ? (sort.isDescending ? '↓' : '↑') : '',
  );
  return element(
    'th',
    { scope: 'col', class: column.kind, 'aria-sort': isSorted ? direction : undefined },
    button(`${id} head ${index}`, { class: 'head' }, () => view.sort(id, index, column.kind), column.label, mark),
  );
}

function tableRow(view: PageView, { columns }: TableBlock, visible: VisibleRow, hasActions: boolean): HTMLElement {
  const { row, level } = visible;
  const cells = columns.map((column, index) => {
    const text = view.text(row.cells[index] ?? null);
    if (index === 0) return element('th', { scope: 'row', class: `level-${level}` }, rowName(view, visible));
    return element('td', { class: column.kind }, text);
  });
  const actions = actionButtons(row.actions, (action) => view.send({ type: 'act', action }));
  if (hasActions) cells.push(element('td', { class: 'actions' }, ...actions));
  return element('tr', {}, ...cells);
}

/** The first cell of a row: with what opens the rows that it is the sum of. */
export function rowName(view: PageView, { row, key, isOpen }: VisibleRow): HTMLElement {
  const name = view.text(row.cells[0] ?? null);
  if (row.children.length === 0) return element('span', { class: 'name' }, name);
  const twistie = element('span', { class: 'twistie', 'aria-hidden': 'true' }, isOpen ? '▾' : '▸');
  return button(key, { class: 'name', 'aria-expanded': String(isOpen) }, () => view.toggleRow(key), twistie, name);
}
