import type { EventRow } from '../../eventRow.ts';
import type { Action, Block, Column, Drawing, EventWords, FormWords, Row, Series } from '../../pageContent.ts';
import { isBoolean, isListOf, isMaybe, isNumber, isOneOf, isShape, isText, type Check } from './shapes.ts';
import { isFormField, isJson } from './readField.ts';

const isCell: Check = (value) => value === null || isText(value) || isNumber(value);

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
  kind: isOneOf('bars', 'columns', 'lines', 'spans'),
  title: isText,
  series: isListOf(isSeries),
});
const isOption = isShape<BlockOf<'choice'>['options'][number]>({ value: isText, label: isText });

const isWords =
  (names: readonly string[]): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    names.every((name) => isText((value as Record<string, unknown>)[name]));

const FORM_WORDS: readonly (keyof FormWords)[] = ['json', 'notJson', 'notSet', 'none', 'add', 'remove', 'variant'];
const EVENT_WORDS: readonly (keyof EventWords)[] = [
  ...(['search', 'method', 'id', 'direction', 'all', 'sent', 'received', 'errorsOnly', 'pause', 'clear'] as const),
  ...(['count', 'empty', 'details', 'request', 'response', 'copyJson', 'copyCurl', 'waiting', 'error'] as const),
];

const BLOCKS: { readonly [Kind in Block['kind']]: Check } = {
  text: isShape<BlockOf<'text'>>({ kind: isText, text: isText }),
  figures: isShape<BlockOf<'figures'>>({
    kind: isText,
    figures: isListOf(isShape<BlockOf<'figures'>['figures'][number]>({ label: isText, value: isText, detail: isText })),
  }),
  choice: isShape<BlockOf<'choice'>>({
    kind: isText,
    id: isText,
    label: isText,
    value: isText,
    options: isListOf(isOption),
  }),
  table: isShape<BlockOf<'table'>>({
    kind: isText,
    id: isText,
    title: isText,
    columns: isListOf(isColumn),
    rows: isListOf(isRow),
    empty: isText,
    drawings: isListOf(isDrawing),
  }),
  tabs: isShape<BlockOf<'tabs'>>({
    kind: isText,
    id: isText,
    label: isText,
    value: isText,
    options: isListOf(isOption),
    blocks: (value) => isListOf(isBlock)(value),
  }),
  buttons: isShape<BlockOf<'buttons'>>({ kind: isText, actions: isListOf(isAction) }),
  code: isShape<BlockOf<'code'>>({ kind: isText, title: isText, text: isText }),
  json: isShape<BlockOf<'json'>>({ kind: isText, title: isText, text: isText }),
  media: isShape<BlockOf<'media'>>({
    kind: isText,
    title: isText,
    // Nothing that could hold markup, as SVG does.
    mimeType: (value) => isText(value) && /^(?:image\/(?:png|jpeg|gif|webp)|audio\/[\w.+-]+)$/.test(value as string),
    data: (value) => isText(value) && /^[A-Za-z0-9+/]*={0,2}$/.test(value as string),
  }),
  form: isShape<BlockOf<'form'>>({
    kind: isText,
    id: isText,
    title: isText,
    field: isFormField,
    value: isMaybe(isJson),
    problems: isListOf(isText),
    actions: isListOf(isAction),
    words: isWords(FORM_WORDS),
  }),
  events: isShape<BlockOf<'events'>>({
    kind: isText,
    id: isText,
    title: isText,
    show: isOneOf('messages', 'log'),
    server: isText,
    words: isWords(EVENT_WORDS),
  }),
};

/** Whether a value is a block of a page. */
export const isBlock: Check = (value) => {
  const kind = typeof value === 'object' && value !== null ? (value as { kind?: unknown }).kind : undefined;
  return typeof kind === 'string' && Object.hasOwn(BLOCKS, kind) && BLOCKS[kind as Block['kind']](value);
};

/** Whether a value is an event. */
export const isEvent: Check = isShape<EventRow>({
  seq: Number.isSafeInteger,
  at: isNumber,
  server: isText,
  connection: Number.isSafeInteger,
  kind: isOneOf('sent', 'received', 'log', 'other'),
  method: isText,
  id: isText,
  isError: isBoolean,
  text: isText,
  note: isText,
  canCurl: isBoolean,
});
