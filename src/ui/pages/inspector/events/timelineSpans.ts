import { dropOldest } from '../../../../base/data/dropOldest.ts';
import { isRecord } from '../../../../base/json/json.ts';
import type { Steps } from '../../../../base/timeSlices.ts';
import type { RecordedEvent } from '../../../../connection/recording/recordedEvent.ts';

/** So many of the last are drawn. */
const MOST_SPANS = 300;
/** So many are known, of all servers; and so many of them, or what they wait for, go on. */
const MOST_KNOWN = 2_000;
/** A longer label is cut, in UTF-16 units, once secrets are taken out of it. */
const MAX_LABEL = 4_000;
const CUT_LABEL = 400;
/** Of a question with a longer id, nobody knows how long it took. */
const MAX_KEY = 1_000;

/** Something that took its time between a server and us. */
export interface Span {
  readonly server: string;
  readonly what: 'state' | 'call' | 'question' | 'decision';
  readonly label: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `undefined`: it goes on. */
  readonly durationMs: number | undefined;
  readonly seq: number;
}

/** What is drawn. `end`: when the last event was, in milliseconds since the epoch. */
export interface Timeline {
  readonly spans: readonly Span[];
  readonly end: number;
}

type OpenSpan = { -readonly [Key in keyof Span]: Span[Key] };

/** Requests of ours that stand for something that somebody asked for, and those of servers that ask somebody. */
const CALLS: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get', 'tasks/result']);
const QUESTIONS: ReadonlySet<string> = new Set(['elicitation/create', 'sampling/createMessage']);

/** States, calls, questions and decisions, in the order in which they began. Each event is read once, when it is added. */
export class TimelineSpans {
  readonly #mask: (text: string) => string;
  #spans: OpenSpan[] = [];
  readonly #open = new Map<string, OpenSpan>();
  /** When the last event of each server was. */
  readonly #lastAt = new Map<string, number>();
  #lastSeq = Number.NEGATIVE_INFINITY;

  /** @param mask takes secrets out */
  constructor(mask: (text: string) => string) {
    this.#mask = mask;
  }

  /** Of the last event that was added. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** The last of a server; `undefined`: of all. */
  of(server: string | undefined): Timeline {
    const spans = this.#spans.filter((span) => server === undefined || span.server === server).slice(-MOST_SPANS);
    const ends = server === undefined ? [...this.#lastAt.values()] : [this.#lastAt.get(server) ?? 0];
    return { spans, end: Math.max(0, ...ends) };
  }

  /** Adds events that come behind those that were added. */
  *addSteps(events: readonly RecordedEvent[]): Steps<void> {
    for (const event of events) {
      if (event.seq > this.#lastSeq) this.#add(event);
      yield;
    }
  }

  /** Forgets what began before the event with that `seq`. */
  dropBefore(seq: number): void {
    if ((this.#spans[0]?.seq ?? seq) >= seq) return;
    this.#spans = this.#spans.filter((span) => span.seq >= seq);
    for (const [key, span] of this.#open) if (span.seq < seq) this.#open.delete(key);
  }

  clear(): void {
    this.#spans = [];
    this.#open.clear();
    this.#lastAt.clear();
  }

  #add(event: RecordedEvent): void {
    const { server, connection, at, seq, what } = event;
    this.#lastSeq = seq;
    this.#lastAt.set(server, at);
    if (what.kind === 'state') {
      this.#end(`state ${server}`, at);
      this.#begin(event, 'state', [what.state, what.reason ?? ''].filter(Boolean).join(': '), `state ${server}`);
    } else if (what.kind === 'decision') {
      this.#begin(event, 'decision', `${what.outcome}: ${what.tool}`);
    } else if (what.kind === 'unanswered') {
      this.#end(`sent ${connection} ${JSON.stringify(what.id)} ${server}`, at);
    } else if (what.kind === 'message') {
      const { id, method, params } = what.message as { id?: unknown; method?: unknown; params?: unknown };
      if (typeof method !== 'string') {
        const asker = what.direction === 'received' ? 'sent' : 'received';
        this.#end(`${asker} ${connection} ${JSON.stringify(id)} ${server}`, at);
      } else if (id !== undefined && (what.direction === 'sent' ? CALLS : QUESTIONS).has(method)) {
        const key = `${what.direction} ${connection} ${JSON.stringify(id)} ${server}`;
        const label = `${method} ${nameIn(params)}`.trimEnd();
        this.#begin(event, what.direction === 'sent' ? 'call' : 'question', label, key);
      }
    }
  }

  /** @param key of what ends it; absent: it takes no time */
  #begin({ server, at, seq }: RecordedEvent, what: Span['what'], label: string, key?: string): void {
    const goesOn = key !== undefined && key.length <= MAX_KEY;
    const kept = label.length <= MAX_LABEL ? label : this.#mask(label).slice(0, CUT_LABEL);
    const span: OpenSpan = { server, what, label: kept, at, durationMs: goesOn ? undefined : 0, seq };
    if (this.#spans.push(span) > 2 * MOST_KNOWN) this.#spans = this.#spans.slice(-MOST_KNOWN);
    if (!goesOn) return;
    this.#open.set(key, span);
    dropOldest(this.#open, MOST_KNOWN);
  }

  #end(key: string, at: number): void {
    const span = this.#open.get(key);
    if (span) span.durationMs = at - span.at;
    this.#open.delete(key);
  }
}

function nameIn(params: unknown): string {
  const name = isRecord(params) ? (params['name'] ?? params['uri']) : undefined;
  return typeof name === 'string' ? name : '';
}
