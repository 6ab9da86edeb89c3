import type { Action, Block, Column, Drawing, PageContent, Row, Series } from '../pageContent.ts';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isCell: Check = (value) => value === null || isText(value) || Number.isFinite(value);

const isOneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);

const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

/** Each member as its check says. A member of `T` without one doesn't type-check. */
const isShape =
  <T>(members: { readonly [Key in keyof Required<T>]: Check }): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<Check>(members).every(([key, check]) => check((value as Record<string, unknown>)[key]));

type BlockOf<Kind extends Block['kind']> = Extract<Block, { readonly kind: Kind }>;

const isAction = isShape<Action>({ id: isText, label: isText, accessibleLabel: isText });
const isRow: Check = isShape<Row>({
  key: isText,
  cells: isListOf(isCell),
  actions: isListOf(isAction),
  children: (value) => isListOf(isRow)(value),
});
const isColumn = isShape<Column>({ label: isText, kind: isOneOf('text', 'number') });
const isSeries = isShape<Series>({
  column: Number.isSafeInteger,
  tone: isOneOf('plain', 'accent', 'outline', 'error'),
});
const isDrawing = isShape<Drawing>({
  kind: isOneOf('bars', 'columns', 'lines'),
  title: isText,
  series: isListOf(isSeries),
});

const BLOCKS: readonly Check[] = [
  isShape<BlockOf<'text'>>({ kind: isOneOf('text'), text: isText }),
  isShape<BlockOf<'figures'>>({
    kind: isOneOf('figures'),
    figures: isListOf(isShape<BlockOf<'figures'>['figures'][number]>({ label: isText, value: isText, detail: isText })),
  }),
  isShape<BlockOf<'choice'>>({
    kind: isOneOf('choice'),
    id: isText,
    label: isText,
    value: isText,
    options: isListOf(isShape<BlockOf<'choice'>['options'][number]>({ value: isText, label: isText })),
  }),
  isShape<BlockOf<'table'>>({
    kind: isOneOf('table'),
    id: isText,
    title: isText,
    columns: isListOf(isColumn),
    rows: isListOf(isRow),
    empty: isText,
    drawings: isListOf(isDrawing),
  }),
];

const isContent = isShape<PageContent>({
  title: isText,
  language: isText,
  words: isShape<PageContent['words']>({ asTables: isText, showMore: isText, actions: isText, drawing: isText }),
  blocks: isListOf((value) => BLOCKS.some((check) => check(value))),
});

/** The content that a message brings; `undefined` for anything else that is sent to the page. */
export function readContent(message: unknown): PageContent | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { type, content } = message as { readonly type?: unknown; readonly content?: unknown };
  return type === 'show' && isContent(content) ? (content as PageContent) : undefined;
}
