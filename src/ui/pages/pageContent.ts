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

export type Block = TextBlock | FiguresBlock | ChoiceBlock | TableBlock;

export interface TextBlock {
  readonly kind: 'text';
  readonly text: string;
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
 * right, a line per series.
 */
export interface Drawing {
  readonly kind: 'bars' | 'columns' | 'lines';
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

/** From a page to the extension. */
export type PageMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'act'; readonly action: string }
  | { readonly type: 'choose'; readonly id: string; readonly value: string };
