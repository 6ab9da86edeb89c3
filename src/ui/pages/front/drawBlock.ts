import type { Block, Drawing, TableBlock } from '../pageContent.ts';
import { drawBars } from './drawings/drawBars.ts';
import { drawForm } from './fields/drawForm.ts';
import { drawMedia } from './drawMedia.ts';
import { drawPlot } from './drawings/drawPlot.ts';
import { drawTable } from './drawTable.ts';
import { drawTabs } from './drawTabs.ts';
import { actionButtons, button, element } from './elements.ts';
import { jsonTree } from './jsonTree.ts';
import type { PageView } from './pageView.ts';
import { visibleRows, type VisibleRow } from './visibleRows.ts';

/** A block of a page as it is seen now. @param place its place in the page */
export function drawBlock(view: PageView, block: Block, place: string): HTMLElement {
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
      const selectId = `choice-${place}`;
      const select = element('select', { id: selectId, 'data-key': `choose ${id}` });
      select.append(...options.map((each) => element('option', { value: each.value }, each.label)));
      select.value = value;
      select.addEventListener('change', () => view.send({ type: 'choose', id, value: select.value }));
      return element('p', {}, element('label', { for: selectId }, label), select);
    }
    case 'table':
      return drawTableBlock(view, block, `heading-${place}`);
    case 'tabs':
      return drawTabs(view, block, place, (each, at) => drawBlock(view, each, at));
    case 'buttons':
      return element(
        'p',
        { class: 'actions' },
        ...actionButtons(block.actions, (action) => view.send({ type: 'act', action })),
      );
    case 'code':
      return titled(block.title, place, element('pre', { class: 'code', tabindex: '0' }, block.text));
    case 'json':
      return titled(block.title, place, jsonTree(block.text));
    case 'media':
      return drawMedia(block);
    case 'form':
      return drawForm(view, block, place);
    case 'events':
      return titled(block.title, place, view.eventList(block).root);
  }
}

function titled(title: string, place: string, content: HTMLElement): HTMLElement {
  const id = `heading-${place}`;
  return element('section', { 'aria-labelledby': id }, element('h2', { id }, title), content);
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
  if (left > 0 && (!isDrawn || block.drawings.some(({ kind }) => kind === 'bars' || kind === 'spans'))) {
    const label = view.content.words.showMore.replace('{0}', view.text(left));
    section.append(button(`${block.id} more`, {}, () => view.showMore(block.id), label));
  }
  return section;
}

function drawFigure(view: PageView, block: TableBlock, drawing: Drawing, rows: readonly VisibleRow[]): HTMLElement {
  // Of what is drawn from one place to another, the length is what is seen.
  const shown = drawing.kind === 'spans' ? drawing.series.slice(1) : drawing.series;
  const legend = shown.map(({ column, tone }) =>
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
    drawing.kind === 'bars' || drawing.kind === 'spans'
      ? drawBars(view, block, drawing, rows)
      : drawPlot(view, block, drawing),
  );
}
