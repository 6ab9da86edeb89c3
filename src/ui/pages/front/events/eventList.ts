import type { EventsBlock, PageMessage } from '../../pageContent.ts';
import { drawEvent, drawEventDetails } from './drawEvent.ts';
import { element } from '../elements.ts';
import { EventControls } from './eventControls.ts';
import type { EventFilter, EventStore } from './eventStore.ts';
import type { KeptFilter } from '../pageState.ts';

const ROW_PX = 22;
/** Drawn above and below what is seen, so that a quick scroll finds rows. */
const MARGIN_ROWS = 5;

/** A list of events: those that fit its filter, of which only what is seen is drawn. */
export class EventList {
  readonly root = element('div', { class: 'events' });
  readonly #store: EventStore;
  readonly #send: (message: PageMessage) => void;
  readonly #rows = element('div', { class: 'rows', role: 'presentation' });
  readonly #view = element('div', { class: 'event-rows', role: 'listbox', tabindex: '0' }, this.#rows);
  readonly #details = element('div', { class: 'event-details' });
  readonly #controls: EventControls;
  #block: EventsBlock | undefined;
  #language = 'en';
  #filter = '';
  #resets = 0;
  /** Numbers of what fits, and up to which it was looked for. */
  #found: number[] = [];
  #looked = 0;
  /** The number of the one that is chosen. */
  #chosen = -1;
  #isWaiting = false;
  #isAtEnd = true;

  /** @param keep keeps what is looked for while the page is hidden */
  constructor(store: EventStore, send: (message: PageMessage) => void, keep: (filter: KeptFilter) => void) {
    this.#store = store;
    this.#send = send;
    this.#controls = new EventControls(
      () => {
        keep(this.#controls.filter);
        this.update();
      },
      () => {
        store.clear();
        this.update();
      },
    );
    this.root.append(this.#controls.root, this.#view, this.#details);
    this.#view.addEventListener('scroll', () => {
      this.#isAtEnd = this.#view.scrollTop + this.#view.clientHeight >= this.#view.scrollHeight - ROW_PX;
      this.#drawRows();
    });
    this.#view.addEventListener('keydown', (event) => this.#key(event));
    this.#view.addEventListener('click', (event) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-number]') : null;
      if (row) this.#choose(Number(row.dataset['number']));
    });
  }

  /** What it is a list of; drawn again where it is put into the page anew. */
  show(block: EventsBlock, language: string, kept: KeptFilter | undefined): void {
    this.#block = block;
    this.#language = language;
    this.#view.setAttribute('aria-label', block.title);
    this.#view.setAttribute('data-key', `events ${block.id}`);
    this.#controls.show(block, kept);
    this.update();
  }

  /** Looks for what is new, once per frame. */
  update(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    requestAnimationFrame(() => {
      this.#isWaiting = false;
      if (this.#block && this.root.isConnected) this.#refresh(this.#block);
    });
  }

  #refresh(block: EventsBlock): void {
    const filter: EventFilter = { ...this.#controls.filter, show: block.show, server: block.server };
    const key = JSON.stringify(filter);
    const isNew = key !== this.#filter || this.#resets !== this.#store.resets;
    if (isNew) {
      [this.#filter, this.#resets] = [key, this.#store.resets];
      this.#found = this.#store.matches(filter);
      this.#looked = this.#store.end;
      this.#isAtEnd = true;
    } else if (!this.#controls.isPaused) {
      const isMatch = this.#store.matcher(filter);
      for (; this.#looked < this.#store.end; this.#looked += 1)
        if (isMatch(this.#looked)) this.#found.push(this.#looked);
    }
    this.#dropGone();
    this.#controls.count(this.#found.length, this.#store.end - this.#store.first, this.#language);
    if (block.show === 'messages') this.#controls.offerMethods(this.#store.methods);
    this.#rows.style.blockSize = `${this.#found.length * ROW_PX}px`;
    if (this.#isAtEnd && !this.#controls.isPaused) this.#view.scrollTop = this.#view.scrollHeight;
    this.#drawRows();
  }

  #dropGone(): void {
    const { first } = this.#store;
    if ((this.#found[0] ?? first) >= first) return;
    const kept = this.#found.findIndex((number) => number >= first);
    this.#found = kept < 0 ? [] : this.#found.slice(kept);
  }

  #drawRows(): void {
    const block = this.#block;
    if (!block) return;
    const from = Math.max(0, Math.floor(this.#view.scrollTop / ROW_PX) - MARGIN_ROWS);
    const count = Math.ceil(this.#view.clientHeight / ROW_PX) + 2 * MARGIN_ROWS;
    const drawn = this.#found.slice(from, from + count).flatMap((number, at) => {
      const event = this.#store.at(number);
      if (!event) return [];
      const row = drawEvent(event, block, this.#language);
      row.id = this.#rowId(number);
      row.dataset['number'] = String(number);
      row.setAttribute('aria-selected', String(number === this.#chosen));
      row.setAttribute('aria-setsize', String(this.#found.length));
      row.setAttribute('aria-posinset', String(from + at + 1));
      row.style.insetBlockStart = `${(from + at) * ROW_PX}px`;
      return [row];
    });
    if (drawn.length === 0)
      drawn.push(element('div', { class: 'quiet', role: 'option', 'aria-disabled': 'true' }, block.words.empty));
    this.#rows.replaceChildren(...drawn);
    const isDrawn = drawn.some(({ id }) => id === this.#rowId(this.#chosen));
    if (isDrawn) this.#view.setAttribute('aria-activedescendant', this.#rowId(this.#chosen));
    else this.#view.removeAttribute('aria-activedescendant');
  }

  #rowId(number: number): string {
    return `event-${this.#block?.id ?? ''}-${number}`;
  }

  #key(event: KeyboardEvent): void {
    const at = this.#found.indexOf(this.#chosen);
    const page = Math.max(1, Math.floor(this.#view.clientHeight / ROW_PX) - 1);
    const last = this.#found.length - 1;
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at < 0 ? last : at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: last,
    };
    const to = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const place = Math.min(Math.max(0, to), last);
    const number = this.#found[place];
    if (number === undefined) return;
    const top = place * ROW_PX;
    const { scrollTop, clientHeight } = this.#view;
    if (top < scrollTop) this.#view.scrollTop = top;
    else if (top + ROW_PX > scrollTop + clientHeight) this.#view.scrollTop = top + ROW_PX - clientHeight;
    this.#choose(number);
  }

  #choose(number: number): void {
    const event = this.#store.at(number);
    const block = this.#block;
    if (!event || !block) return;
    this.#chosen = number;
    // A list that goes on would run away from what is looked at.
    this.#isAtEnd = false;
    this.#drawRows();
    const partner = event.partner === undefined ? undefined : this.#store.at(event.partner);
    this.#details.replaceChildren(
      ...drawEventDetails(event, partner, block, (seq, as) => this.#send({ type: 'copy', seq, as })),
    );
  }
}
