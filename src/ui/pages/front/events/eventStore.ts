import type { EventRow } from '../../eventRow.ts';
import type { EventsMessage } from '../../pageContent.ts';

/** What a page keeps: so many events, and so many UTF-16 units of their texts. The oldest go first. */
export const MOST_EVENTS = 100_000;
const MOST_UNITS = 48_000_000;

/** An event with its number, which counts up in the order of arrival, and with what it is paired with. */
export interface StoredEvent extends EventRow {
  /** Of the request of a response, and the other way round. */
  partner?: number;
  /** Of a response: since its request, in milliseconds. */
  durationMs?: number;
}

/** Which events are seen. Empty texts: all. */
export interface EventFilter {
  readonly show: 'messages' | 'log';
  readonly server: string;
  readonly method: string;
  readonly id: string;
  readonly direction: '' | 'sent' | 'received';
  readonly errorsOnly: boolean;
  /** Found in any case, unless it has a capital letter. */
  readonly text: string;
}

/** The events that a page has, in bounded memory. Numbers of events stay the same when the oldest are dropped. */
export class EventStore {
  #events: StoredEvent[] = [];
  #first = 0;
  #units = 0;
  /** By server, connection, direction and id: the request that waits for its response. */
  readonly #open = new Map<string, number>();
  /** One string for each of the few names that come again and again. */
  readonly #names = new Map<string, string>();
  #methods = new Set<string>();
  #resets = 0;

  get first(): number {
    return this.#first;
  }

  /** One more than the number of the last. */
  get end(): number {
    return this.#first + this.#events.length;
  }

  /** How often everything was taken away. */
  get resets(): number {
    return this.#resets;
  }

  /** Those seen so far, for a choice. */
  get methods(): readonly string[] {
    return [...this.#methods].toSorted();
  }

  at(number: number): StoredEvent | undefined {
    return this.#events[number - this.#first];
  }

  take({ isReset, events }: EventsMessage): void {
    if (isReset) this.clear();
    for (const event of events) this.#add(event);
    this.#drop();
  }

  clear(): void {
    this.#first = this.end;
    this.#events = [];
    this.#units = 0;
    this.#open.clear();
    this.#methods = new Set();
    this.#resets += 1;
  }

  /** Whether an event is one of those that are looked for. */
  matcher(filter: EventFilter): (number: number) => boolean {
    const { show, server, method, id, direction, errorsOnly, text } = filter;
    const hasText = textMatcher(text);
    return (number) => {
      const event = this.#events[number - this.#first];
      if (!event || !(show === 'log' ? isOfLog(event) : event.kind !== 'log')) return false;
      if (server !== '' && event.server !== server) return false;
      if (method !== '' && event.method !== method) return false;
      if (id !== '' && event.id !== id && event.id !== `"${id}"`) return false;
      if (direction !== '' && event.kind !== direction) return false;
      if (errorsOnly && !event.isError) return false;
      return hasText(event.text) || (text !== '' && event.method.includes(text));
    };
  }

  /** The numbers of all that are looked for, in order. */
  matches(filter: EventFilter): number[] {
    const isMatch = this.matcher(filter);
    const found: number[] = [];
    for (let number = this.#first; number < this.end; number += 1) if (isMatch(number)) found.push(number);
    return found;
  }

  #add(given: EventRow): void {
    const event: StoredEvent = { ...given, server: this.#name(given.server), method: this.#name(given.method) };
    const number = this.end;
    this.#events.push(event);
    this.#units += event.text.length;
    // What ended a request without an answer has its id.
    if (event.kind === 'other') this.#pair(event, number);
    if (event.kind !== 'sent' && event.kind !== 'received') return;
    if (event.method !== '') {
      this.#methods.add(event.method);
      if (event.id !== '') this.#open.set(requestKey(event, event.kind), number);
      return;
    }
    this.#pair(event, number);
  }

  #pair(event: StoredEvent, number: number): void {
    if (event.id === '') return;
    const key = requestKey(event, event.kind === 'sent' ? 'received' : 'sent');
    const asked = this.#open.get(key);
    const request = asked === undefined ? undefined : this.at(asked);
    if (asked === undefined || !request) return;
    this.#open.delete(key);
    request.partner = number;
    this.#events[number - this.#first] = {
      ...event,
      method: request.method,
      partner: asked,
      durationMs: event.at - request.at,
    };
  }

  /** A tenth more goes at once: what is left isn't moved for each event. */
  #drop(): void {
    const count = this.#events.length;
    let dropped = count > MOST_EVENTS ? count - Math.floor(MOST_EVENTS * 0.9) : 0;
    for (let at = 0; at < dropped; at += 1) this.#units -= this.#events[at]!.text.length;
    for (; this.#units > MOST_UNITS && dropped < count; dropped += 1) this.#units -= this.#events[dropped]!.text.length;
    if (dropped === 0) return;
    this.#events = this.#events.slice(dropped);
    this.#first += dropped;
    for (const [key, number] of this.#open) if (number < this.#first) this.#open.delete(key);
  }

  #name(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    // Ids of requests can be in a method's place where a server invents them.
    if (this.#names.size < 10_000) this.#names.set(name, name);
    return name;
  }
}

/** Entries of a server’s own log are messages, too, and so stand in both lists. */
function isOfLog({ kind, method }: EventRow): boolean {
  return kind === 'log' || method === 'notifications/message';
}

function requestKey({ server, connection, id }: EventRow, direction: 'sent' | 'received'): string {
  return `${direction} ${connection} ${id} ${server}`;
}

function textMatcher(text: string): (where: string) => boolean {
  if (text === '') return () => true;
  if (text !== text.toLowerCase()) return (where) => where.includes(text);
  const pattern = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`), 'i');
  return (where) => pattern.test(where);
}
