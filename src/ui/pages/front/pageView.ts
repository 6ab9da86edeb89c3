import type { Block, Column, EventsBlock, EventsMessage, PageContent, PageMessage, Row } from '../pageContent.ts';
import { drawBlock } from './drawBlock.ts';
import { button, element } from './elements.ts';
import { EventList } from './events/eventList.ts';
import { EventStore } from './events/eventStore.ts';
import { focusedPlace } from './focusedPlace.ts';
import { withDraft, withFilter, withMoreRows, withSort, withToggledRow, withWay, type PageState } from './pageState.ts';

/** The page as it is seen: what it shows and what its reader has chosen. Drawn anew when either changes. */
export class PageView {
  readonly #root: HTMLElement;
  readonly #keep: (state: PageState) => void;
  readonly send: (message: PageMessage) => void;
  #content: PageContent | undefined;
  #numbers = new Intl.NumberFormat();
  readonly #events = new EventStore();
  /** By block: the list, which outlives what is drawn around it. */
  readonly #lists = new Map<string, EventList>();
  state: PageState;

  constructor(root: HTMLElement, state: PageState, keep: (state: PageState) => void, send: PageView['send']) {
    this.#root = root;
    this.state = state;
    this.#keep = keep;
    this.send = send;
  }

  /** @throws TypeError before there is one */
  get content(): PageContent {
    if (!this.#content) throw new TypeError('Nothing is shown yet.');
    return this.#content;
  }

  get asTables(): boolean {
    return this.state.asTables ?? document.body.classList.contains('vscode-using-screen-reader');
  }

  show(content: PageContent): void {
    const isFirst = this.#content === undefined;
    if (JSON.stringify(content) === JSON.stringify(this.#content)) return;
    this.#content = content;
    this.#numbers = new Intl.NumberFormat(content.language, { maximumFractionDigits: 0 });
    this.#draw();
    if (isFirst) document.documentElement.scrollTop = this.state.scrollTop;
  }

  /** A cell as it is read. */
  text(cell: Row['cells'][number]): string {
    return cell === null ? '–' : typeof cell === 'number' ? this.#numbers.format(cell) : cell;
  }

  toggleTables(): void {
    if (this.#content?.blocks.some(isDrawn)) this.#change({ ...this.state, asTables: !this.asTables });
  }

  sort(table: string, column: number, kind: Column['kind']): void {
    this.#change(withSort(this.state, table, column, kind === 'number'));
  }

  toggleRow(key: string): void {
    this.#change(withToggledRow(this.state, key));
  }

  showMore(table: string): void {
    this.#change(withMoreRows(this.state, table));
  }

  /** What is filled into a form, as JSON. Nothing is drawn anew where `isTyped`. */
  fill(form: string, text: string, isTyped: boolean): void {
    const state = withDraft(this.state, form, text);
    if (!isTyped) return this.#change(state);
    this.state = state;
    this.#keep(state);
  }

  pickWay(place: string, way: number): void {
    this.state = withWay(this.state, place, way);
  }

  takeEvents(message: EventsMessage): void {
    this.#events.take(message);
    for (const list of this.#lists.values()) list.update();
  }

  /** The list of a block of events. */
  eventList(block: EventsBlock): EventList {
    let list = this.#lists.get(block.id);
    if (!list) {
      list = new EventList(this.#events, this.send, (filter) => {
        this.state = withFilter(this.state, block.id, filter);
        this.#keep(this.state);
      });
      this.#lists.set(block.id, list);
    }
    list.show(block, this.content.language, this.state.filters[block.id]);
    return list;
  }

  keepScroll(): void {
    this.state = { ...this.state, scrollTop: document.documentElement.scrollTop };
    this.#keep(this.state);
  }

  #change(state: PageState): void {
    this.state = state;
    this.#keep(state);
    this.#draw();
  }

  #draw(): void {
    const { title, language, words, blocks } = this.content;
    const restoreFocus = focusedPlace(this.#root);
    document.documentElement.lang = language;
    const toggle = button(
      'tables',
      { 'aria-pressed': String(this.asTables), 'aria-keyshortcuts': 'T', class: 'toggle' },
      () => this.toggleTables(),
      words.asTables,
      element('kbd', { 'aria-hidden': 'true' }, 'T'),
    );
    const hasDrawing = blocks.some(isDrawn);
    this.#root.replaceChildren(
      element('header', {}, element('h1', {}, title), ...(hasDrawing ? [toggle] : [])),
      ...blocks.map((block, number) => drawBlock(this, block, `${number}`)),
    );
    this.#root.setAttribute('aria-busy', 'false');
    restoreFocus();
  }
}

/** Whether there is a drawing in the place of a table. */
function isDrawn(block: Block): boolean {
  return block.kind === 'tabs' ? block.blocks.some(isDrawn) : block.kind === 'table' && block.drawings.length > 0;
}
