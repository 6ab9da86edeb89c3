import type { EventFilter } from './events/eventStore.ts';

/** What the reader of a page has chosen. Kept by the editor while the page is hidden. */
export interface PageState {
  /** Absent: nothing was chosen, and those who read by a screen reader get tables. */
  readonly asTables?: boolean;
  readonly scrollTop: number;
  /** By table: the column that sorts it. */
  readonly sorts: Readonly<Record<string, { readonly column: number; readonly isDescending: boolean }>>;
  /** Rows that are open, as `table/row`. */
  readonly open: readonly string[];
  /** By table: how many rows are drawn. */
  readonly limits: Readonly<Record<string, number>>;
  /** By form: what is filled in, as JSON. */
  readonly drafts: Readonly<Record<string, string>>;
  /** By list of events: what is looked for. */
  readonly filters: Readonly<Record<string, KeptFilter>>;
  /** By form and place in it: which of several ways is filled in. */
  readonly ways: Readonly<Record<string, number>>;
}

/** What is looked for in a list of events, whichever list it is. */
export type KeptFilter = Omit<EventFilter, 'show' | 'server'>;

export const FIRST_STATE: PageState = {
  scrollTop: 0,
  sorts: {},
  open: [],
  limits: {},
  drafts: {},
  filters: {},
  ways: {},
};

/** What is drawn of a table at first, and what each *Show More* adds. */
export const ROWS_AT_ONCE = 100;

/** The state that was kept, as far as it is one. */
export function readState(kept: unknown): PageState {
  return typeof kept === 'object' && kept !== null ? { ...FIRST_STATE, ...kept } : FIRST_STATE;
}

export function withSort(state: PageState, table: string, column: number, isNumber: boolean): PageState {
  const old = state.sorts[table];
  // Numbers begin with the largest: that is what one looks for.
  const isDescending = old?.column === column ? !old.isDescending : isNumber;
  return { ...state, sorts: { ...state.sorts, [table]: { column, isDescending } } };
}

export function withToggledRow(state: PageState, key: string): PageState {
  const isOpen = state.open.includes(key);
  return { ...state, open: isOpen ? state.open.filter((each) => each !== key) : [...state.open, key] };
}

export function withMoreRows(state: PageState, table: string): PageState {
  return { ...state, limits: { ...state.limits, [table]: limitOf(state, table) + ROWS_AT_ONCE } };
}

/** What is kept of forms: those that were filled in last. */
const MOST_DRAFTS = 20;

export function withDraft(state: PageState, form: string, text: string): PageState {
  const { [form]: _before, ...others } = state.drafts;
  const kept = Object.entries(others).slice(1 - MOST_DRAFTS);
  return { ...state, drafts: Object.fromEntries([...kept, [form, text]]) };
}

export function withFilter(state: PageState, list: string, filter: KeptFilter): PageState {
  return { ...state, filters: { ...state.filters, [list]: filter } };
}

export function withWay(state: PageState, place: string, way: number): PageState {
  return { ...state, ways: { ...state.ways, [place]: way } };
}

export function limitOf(state: PageState, table: string): number {
  return state.limits[table] ?? ROWS_AT_ONCE;
}
