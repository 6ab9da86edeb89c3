import type { FormField, Json } from './forms/formField.ts';
import type { EventRow } from './eventRow.ts';

/**
 * What a page shows, as data: made in the extension host, which also translates, and drawn by `front/`. Every text is plain
 * text; nothing in it is markup. Each drawing belongs to a table, so that there is no drawing without one.
 */
export interface PageContent {
  readonly title: string;
  /** BCP 47, for numbers and for screen readers. */
  readonly language: string;
  readonly words: PageWords;
  readonly blocks: readonly Block[];
}

/** Texts of a page's own controls. */
export interface PageWords {
  /** The switch between drawings and tables, which a key does as well. */
  readonly asTables: string;
  /** `{0}`: how many rows are left. */
  readonly showMore: string;
  /** Heads the column of buttons. */
  readonly actions: string;
  /** Said of a drawing to screen readers; `{0}`: its title. */
  readonly drawing: string;
}

export type Block =
  | TextBlock
  | FiguresBlock
  | ChoiceBlock
  | TableBlock
  | TabsBlock
  | ButtonsBlock
  | CodeBlock
  | JsonBlock
  | MediaBlock
  | FormBlock
  | EventsBlock;

export interface TextBlock {
  readonly kind: 'text';
  readonly text: string;
}

/** One of several panels (ARIA: *tabs*); picking another tells the extension, as a choice does. */
export interface TabsBlock {
  readonly kind: 'tabs';
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** The panel of `value`. */
  readonly blocks: readonly Block[];
}

export interface ButtonsBlock {
  readonly kind: 'buttons';
  readonly actions: readonly Action[];
}

/** A text of several lines, as it is. */
export interface CodeBlock {
  readonly kind: 'code';
  readonly title: string;
  readonly text: string;
}

/** A JSON value as a tree. */
export interface JsonBlock {
  readonly kind: 'json';
  readonly title: string;
  /** The value, as JSON. */
  readonly text: string;
}

/** An image or a sound. */
export interface MediaBlock {
  readonly kind: 'media';
  readonly title: string;
  /** One of `image/png`, `image/jpeg`, `image/gif`, `image/webp` and `audio/…`. */
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

/** A form, and the JSON that it makes beside it. What is filled in stays while `id` is the same. */
export interface FormBlock {
  readonly kind: 'form';
  readonly id: string;
  readonly title: string;
  readonly field: FormField;
  /** What it begins with; absent: what the field says. */
  readonly value?: Json;
  /** What is wrong with what was sent last, a sentence each. */
  readonly problems: readonly string[];
  /** Each sends what is filled in. */
  readonly actions: readonly Action[];
  readonly words: FormWords;
}

/** Texts of a form's own controls. */
export interface FormWords {
  readonly json: string;
  readonly notJson: string;
  readonly notSet: string;
  readonly none: string;
  readonly add: string;
  readonly remove: string;
  readonly variant: string;
}

/** What happened, live: the page keeps it, filters it and draws what of it is seen. */
export interface EventsBlock {
  readonly kind: 'events';
  readonly id: string;
  readonly title: string;
  readonly show: 'messages' | 'log';
  /** Only of this server; empty: of all. */
  readonly server: string;
  readonly words: EventWords;
}

/** Texts of a list of events. */
export interface EventWords {
  readonly search: string;
  readonly method: string;
  readonly id: string;
  readonly direction: string;
  readonly all: string;
  readonly sent: string;
  readonly received: string;
  readonly errorsOnly: string;
  readonly pause: string;
  readonly clear: string;
  /** `{0}` of `{1}` are shown. */
  readonly count: string;
  readonly empty: string;
  readonly details: string;
  readonly request: string;
  readonly response: string;
  readonly copyJson: string;
  readonly copyCurl: string;
  /** Of a request without an answer yet. */
  readonly waiting: string;
  readonly error: string;
}

/** A few numbers that matter most. */
export interface FiguresBlock {
  readonly kind: 'figures';
  readonly figures: readonly { readonly label: string; readonly value: string; readonly detail: string }[];
}

/** One of several: picking another tells the extension. */
export interface ChoiceBlock {
  readonly kind: 'choice';
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

export interface TableBlock {
  readonly kind: 'table';
  /** Unique in the page, and the same from one content to the next: what is sorted and open is kept by it. */
  readonly id: string;
  readonly title: string;
  /** The first names the row. */
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Said in the place of rows. */
  readonly empty: string;
  readonly drawings: readonly Drawing[];
}

export interface Column {
  readonly label: string;
  readonly kind: 'text' | 'number';
}

export interface Row {
  /** Unique among its siblings, and the same from one content to the next. */
  readonly key: string;
  /** `null`: not known. */
  readonly cells: readonly (string | number | null)[];
  readonly actions: readonly Action[];
  /** What the row is the sum of. */
  readonly children: readonly Row[];
}

/** A button. The extension does what it stands for only while its newest content has it. */
export interface Action {
  readonly id: string;
  readonly label: string;
  /** For screen readers: the label, and what it is about. */
  readonly accessibleLabel: string;
}

/**
 * `bars`: a group of bars per row. `columns`: the rows from left to right, a stack per row. `lines`: the rows from left to
 * right, a line per series. `spans`: a bar per row, from its first series to as much further as the second says.
 */
export interface Drawing {
  readonly kind: 'bars' | 'columns' | 'lines' | 'spans';
  readonly title: string;
  /** Columns of the table with numbers, at most three: each is drawn differently, and not by color alone. */
  readonly series: readonly Series[];
}

export interface Series {
  readonly column: number;
  readonly tone: 'plain' | 'accent' | 'outline' | 'error';
}

/** From the extension to a page. */
export interface ShowMessage {
  readonly type: 'show';
  readonly content: PageContent;
}

/** From the extension to a page that has a block for events. */
export interface EventsMessage {
  readonly type: 'events';
  /** What came before is no longer there. */
  readonly isReset: boolean;
  readonly events: readonly EventRow[];
}

/** From a page to the extension. */
export type PageMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'act'; readonly action: string }
  | { readonly type: 'choose'; readonly id: string; readonly value: string }
  /** A form's button: `text` is what is filled in, as JSON. */
  | { readonly type: 'submit'; readonly form: string; readonly action: string; readonly text: string }
  /** An event goes to the clipboard. */
  | { readonly type: 'copy'; readonly seq: number; readonly as: 'json' | 'curl' };
