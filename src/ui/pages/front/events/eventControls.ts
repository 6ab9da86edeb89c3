import type { EventsBlock } from '../../pageContent.ts';
import { element } from '../elements.ts';
import type { KeptFilter } from '../pageState.ts';

/** What filters a list of events, and says how many there are. */
export class EventControls {
  readonly root = element('div', { class: 'event-controls' });
  readonly #clear: () => void;
  readonly #search = element('input', { type: 'search' });
  readonly #method = element('select', {});
  readonly #id = element('input', { type: 'text', size: '5' });
  readonly #direction = element('select', {});
  readonly #errors = element('input', { type: 'checkbox' });
  readonly #pause = element('button', { type: 'button', 'aria-pressed': 'false', class: 'toggle' });
  readonly #count = element('span', { class: 'quiet', role: 'status' });
  #block: EventsBlock | undefined;
  #methods = '';

  constructor(changed: () => void, clear: () => void) {
    this.#clear = clear;
    for (const control of [this.#search, this.#method, this.#id, this.#direction, this.#errors])
      control.addEventListener('input', () => changed());
    this.#pause.addEventListener('click', () => {
      this.#pause.setAttribute('aria-pressed', String(!this.isPaused));
      changed();
    });
  }

  get isPaused(): boolean {
    return this.#pause.getAttribute('aria-pressed') === 'true';
  }

  get filter(): KeptFilter {
    const direction = this.#direction.value;
    return {
      method: this.#method.value,
      id: this.#id.value.trim(),
      direction: direction === 'sent' || direction === 'received' ? direction : '',
      errorsOnly: this.#errors.checked,
      text: this.#search.value,
    };
  }

  /** @param kept what was looked for before the page was hidden */
  show(block: EventsBlock, kept: KeptFilter | undefined): void {
    if (this.#block?.id === block.id) return;
    this.#block = block;
    const { words, id } = block;
    const clear = element('button', { type: 'button', 'data-key': `clear ${id}` }, words.clear);
    clear.addEventListener('click', this.#clear);
    this.#pause.replaceChildren(words.pause);
    this.#direction.append(
      ...[
        ['', words.all],
        ['sent', words.sent],
        ['received', words.received],
      ].map(([value, label]) => element('option', { value }, label ?? '')),
    );
    const labelled = (label: string, control: HTMLElement): HTMLElement => {
      control.setAttribute('data-key', `filter ${id} ${label}`);
      return element('label', {}, label, control);
    };
    this.#pause.setAttribute('data-key', `pause ${id}`);
    this.#offer(kept && kept.method !== '' ? [kept.method] : []);
    if (kept) this.#fill(kept);
    const ofMessages = [
      labelled(words.method, this.#method),
      labelled(words.id, this.#id),
      labelled(words.direction, this.#direction),
    ];
    this.root.replaceChildren(
      labelled(words.search, this.#search),
      ...(block.show === 'messages' ? ofMessages : []),
      labelled(words.errorsOnly, this.#errors),
      this.#pause,
      clear,
      this.#count,
    );
  }

  #fill({ method, id, direction, errorsOnly, text }: KeptFilter): void {
    this.#method.value = method;
    this.#id.value = id;
    this.#direction.value = direction;
    this.#errors.checked = errorsOnly;
    this.#search.value = text;
  }

  /** The methods to choose from: those that there are. */
  offerMethods(methods: readonly string[]): void {
    const key = methods.join('\n');
    if (key === this.#methods) return;
    this.#methods = key;
    this.#offer(methods);
  }

  count(found: number, all: number, language: string): void {
    const number = (value: number): string => value.toLocaleString(language);
    const text = (this.#block?.words.count ?? '').replace('{0}', number(found)).replace('{1}', number(all));
    if (this.#count.textContent !== text) this.#count.textContent = text;
  }

  /** What is chosen stays, also where there is none of it any more. */
  #offer(methods: readonly string[]): void {
    const chosen = this.#method.value;
    const offered = chosen === '' || methods.includes(chosen) ? methods : [chosen, ...methods];
    const all = element('option', { value: '' }, this.#block?.words.all ?? '');
    this.#method.replaceChildren(all, ...offered.map((method) => element('option', { value: method }, method)));
    this.#method.value = chosen;
  }
}
