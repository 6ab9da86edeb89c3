import type { Column, Drawing, Series } from './pageContent.ts';

/** Columns of texts, and behind them columns of numbers. */
export function columnsOf(texts: readonly string[], numbers: readonly string[]): readonly Column[] {
  return [
    ...texts.map((label): Column => ({ label, kind: 'text' })),
    ...numbers.map((label): Column => ({ label, kind: 'number' })),
  ];
}

/** A drawing of columns of a table, each with the tone that it is drawn in. */
export function drawingOf(
  kind: Drawing['kind'],
  title: string,
  ...series: readonly (readonly [column: number, tone: Series['tone']])[]
): Drawing {
  return { kind, title, series: series.map(([column, tone]) => ({ column, tone })) };
}
