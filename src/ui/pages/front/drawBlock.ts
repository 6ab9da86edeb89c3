import type { Block, Drawing, TableBlock } from '../pageContent.ts';
import { drawBars } from './drawBars.ts';
import { drawPlot } from './drawPlot.ts';
import { drawTable } from './drawTable.ts';
import { button, element } from './elements.ts';
import type { PageView } from './pageView.ts';
import { visibleRows, type VisibleRow } from './visibleRows.ts';

/** A block of a page as it is seen now. @param number its place in the page */
export function drawBlock(view: PageView, block: Block, number: number): HTMLElement {
  switch (block.kind) {
    case 'text':
      return element('p', {}, block.text);
    case 'figures':
      return element(
        'dl',
        { class: 'figures' },
        ...block.figures.map(({ label, value, detail }) =>
          element(
            'div',
            {},
            element('dt', {}, label),
            element('dd', { class: 'value' }, value),
            element('dd', {}, detail),
          ),
        ),
      );
    case 'choice': {
      const { id, label, value, options } = block;
      const selectId = `choice-${number}`;
      const select = element('select', { id: selectId, 'data-key': `choose ${id}` });
      select.append(...options.map((each) => element('option', { value: each.value }, each.label)));
      select.value = value;
      select.addEventListener('change', () => view.send({ type: 'choose', id, value: select.value }));
      return element('p', {}, element('label', { for: selectId }, label), select);
    }
    case 'table':
      return drawTableBlock(view, block, `heading-${number}`);
  }
}

function drawTableBlock(view: PageView, block: TableBlock, headingId: string): HTMLElement {
  const section = element('section', { 'aria-labelledby': headingId }, element('h2', { id: headingId }, block.title));
  if (block.rows.length === 0) {
    section.append(element('p', { class: 'quiet' }, block.empty));
    return section;
  }
  const { rows, left } = visibleRows(block, view.state);
  const isDrawn = block.drawings.length > 0 && !view.asTables;
  if (isDrawn) section.append(...block.drawings.map((drawing) => drawFigure(view, block, drawing, rows)));
  else section.append(drawTable(view, block, rows));
  if (left > 0 && (!isDrawn || block.drawings.some(({ kind }) => kind === 'bars'))) {
    const label = view.content.words.showMore.replace('{0}', view.text(left));
    section.append(button(`${block.id} more`, {}, () => view.showMore(block.id), label));
  }
  return section;
}

function drawFigure(view: PageView, block: TableBlock, drawing: Drawing, rows: readonly VisibleRow[]): HTMLElement {
  const legend = drawing.series.map(({ column, tone }) =>
    element(
      'span',
      { class: 'entry' },
      element('span', { class: `sample ${drawing.kind} ${tone}` }),
      block.columns[column]?.label ?? '',
    ),
  );
  return element(
    'figure',
    {},
    element('figcaption', {}, element('span', { class: 'title' }, drawing.title), ...legend),
    drawing.kind === 'bars' ? drawBars(view, block, drawing, rows) : drawPlot(view, block, drawing),
  );
}
