import type { Drawing, Row, Series, TableBlock } from '../../pageContent.ts';
import { drawn } from '../elements.ts';
import type { PageView } from '../pageView.ts';

const SIZE = { width: 720, height: 190, left: 52, right: 12, top: 10, bottom: 26 };
const MOST_LABELS = 8;
const INNER = { width: SIZE.width - SIZE.left - SIZE.right, height: SIZE.height - SIZE.top - SIZE.bottom };

/** The rows from left to right: stacks, or lines. What isn't known leaves a gap. */
export function drawPlot(view: PageView, { rows, columns }: TableBlock, { kind, title, series }: Drawing): SVGElement {
  const valueOf = ({ cells }: Row, { column }: Series): number | undefined => {
    const cell = cells[column];
    return typeof cell === 'number' ? cell : undefined;
  };
  const heightOf = (row: Row): number => {
    const values = series.map((each) => valueOf(row, each) ?? 0);
    return kind === 'columns' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  };
  const top = niceTop(Math.max(0, ...rows.map(heightOf)));
  const step = INNER.width / Math.max(1, rows.length);
  const x = (index: number): number => SIZE.left + (index + 0.5) * step;
  const y = (value: number): number => SIZE.top + INNER.height * (1 - value / top);
  const hint = (row: Row, { column }: Series): SVGElement =>
    drawn(
      'title',
      {},
      `${view.text(row.cells[0] ?? null)} · ${columns[column]?.label}: ${view.text(row.cells[column] ?? null)}`,
    );

  const stacks = (): SVGElement[] =>
    rows.flatMap((row, index) => {
      let below = 0;
      return series.flatMap((each) => {
        const value = valueOf(row, each) ?? 0;
        if (value === 0) return [];
        const width = Math.max(2, Math.min(36, step * 0.7));
        const place = { x: x(index) - width / 2, width, y: y(below + value), height: y(below) - y(below + value) };
        below += value;
        return [drawn('rect', { class: `fill ${each.tone}`, ...place }, hint(row, each))];
      });
    });
  const lines = (): SVGElement[] =>
    series.flatMap((each, number) => {
      const points = rows.map((row, index) => ({ row, index, value: valueOf(row, each) }));
      const path = points
        .map(({ index, value }, place) =>
          value === undefined ? '' : `${points[place - 1]?.value === undefined ? 'M' : 'L'}${x(index)} ${y(value)}`,
        )
        .join('');
      const marks = points.flatMap(({ row, index, value }) =>
        value === undefined
          ? []
          : [
              drawn(
                'path',
                { class: `point point-${number} ${each.tone}`, d: pointAt(x(index), y(value), number) },
                hint(row, each),
              ),
            ],
      );
      return [drawn('path', { class: `line ${each.tone}`, d: path }), ...marks];
    });
  const label = view.content.words.drawing.replace('{0}', title);
  return drawn(
    'svg',
    { role: 'img', 'aria-label': label, viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, class: 'plot' },
    hatching(),
    ...[0, top / 2, top].flatMap((value) => [
      drawn('line', { class: 'grid', x1: SIZE.left, x2: SIZE.width - SIZE.right, y1: y(value), y2: y(value) }),
      drawn('text', { class: 'axis end', x: SIZE.left - 8, y: y(value) + 4 }, view.text(value)),
    ]),
    ...timeLabels(rows.length).map((index) =>
      drawn(
        'text',
        { class: 'axis middle', x: x(index), y: SIZE.height - 6 },
        view.text(rows[index]?.cells[0] ?? null),
      ),
    ),
    ...(kind === 'columns' ? stacks() : lines()),
  );
}

/** The shape of a series' points: round, then square and hollow, so that one is seen in the other. */
function pointAt(x: number, y: number, number: number): string {
  return number === 0 ? `M${x - 3} ${y}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0` : `M${x - 5} ${y - 5}h10v10h-10z`;
}

/** As many as have room, evenly. */
function timeLabels(count: number): readonly number[] {
  const step = Math.max(1, Math.ceil(count / MOST_LABELS));
  return Array.from({ length: Math.ceil(count / step) }, (_none, index) => index * step);
}

/** The end of the scale: an even number of 1, 2 or 5 times a power of ten, at or above the largest value. */
function niceTop(largest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(2, largest)));
  return [1, 2, 4, 6, 10].map((factor) => factor * power).find((top) => top >= Math.max(2, largest)) ?? 2;
}

function hatching(): SVGElement {
  const lines = drawn('path', { class: 'hatch', d: 'M-1 1l2 -2M0 6l6 -6M5 7l2 -2' });
  const pattern = { id: 'hatching', width: 6, height: 6, patternUnits: 'userSpaceOnUse' };
  return drawn('defs', {}, drawn('pattern', pattern, drawn('rect', { class: 'ground', width: 6, height: 6 }), lines));
}
