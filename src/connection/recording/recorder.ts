import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Mask } from '../../base/text/secrets.ts';
import { messageText } from '../reading/readMessages.ts';
import { LocalFault } from '../protocol/localFault.ts';
import { HttpStatusError, networkCode } from '../remote/answers/httpStatus.ts';
import { EventRing, type RingLimits, type RingPart } from './eventRing.ts';
import { HeldSize } from './heldSize.ts';
import { messageForm, otherForm, type KeptForm } from './eventBytes.ts';
import { LinkOpenings } from './linkOpenings.ts';
import type { HttpFrame, RecordedEvent, RecordedWhat, SentFor } from './recordedEvent.ts';
import { noteSentFor, sentForOf } from './requestCause.ts';

/** What is recorded without a setting. */
export const DEFAULT_RING: RingLimits = { maxAgeMs: 10 * 60_000, maxBytes: 16 * 1024 * 1024 };

/** A message that takes more in memory is cut where it is kept as an object, in bytes. */
export const MAX_HELD = 4 * 1024 * 1024;
/** A message whose text is longer is cut in the ring, in UTF-16 units; with a small ring, a quarter of that. */
const MAX_TEXT = 2 * 1024 * 1024;
/** So often the two clocks are compared, in milliseconds. */
const COMPARED_EACH_MS = 1_000;

type Direction = 'sent' | 'received';

/** Says in a request where it belongs in a trace: gives it in another form, or as it is. */
export type PlaceRequest = <T extends object>(request: T) => T;

/** Takes what passes a link. */
export interface LinkTap {
  /**
   * @param http the answer that the message came in, made only where somebody wants it
   * @param text the message as JSON, where it is at hand: without it, it is written for the ring
   */
  message(direction: Direction, message: object, http?: () => HttpFrame, text?: string): void;
  stderr(line: string): void;
  /** A request as it is sent, with its place in a trace, where it is part of one. */
  readonly placed: PlaceRequest;
  /** A request ended without an answer. `why`: the error, or a word. */
  unanswered(request: { readonly id: string | number; readonly method: string }, why: unknown): void;
}

/**
 * Tells what happens between servers and us, and keeps the last of it in memory. One for all connections. While nobody
 * listens and the ring is off, nothing is made.
 */
export class Recorder implements Disposable {
  readonly #ring: EventRing;
  readonly #emitter = new Emitter<RecordedEvent>();
  readonly #size = new HeldSize();
  #listeners = 0;
  readonly #openings = new LinkOpenings();
  /** The last link of each server. */
  readonly #links = new Map<string, number>();
  /** What masks the secrets of each server, also of those that are gone. */
  readonly #masks = new Map<string, Mask>();
  readonly #closing = new Set<() => Promise<void>>();
  readonly #limits: () => RingLimits;
  /** Of what traces the requests of connections; `undefined`: nothing does. */
  place: PlaceRequest | undefined;
  #seq = 0;
  #linkCount = 0;
  #offsetMs = 0;
  #comparedAt = Number.NEGATIVE_INFINITY;

  /** @param limits of the ring, as they are now */
  constructor(limits: () => RingLimits) {
    this.#limits = limits;
    this.#ring = new EventRing(limits());
  }

  /** Everything that happens, from now on. The listener must not change what it gets. */
  readonly onEvent: Event<RecordedEvent> = (listener) => {
    const subscription = this.#emitter.event(listener);
    let count = 1;
    this.#listeners += count;
    const dispose = (): void => {
      this.#listeners -= count;
      count = 0;
      subscription.dispose();
    };
    return { dispose };
  };

  /** The last events, oldest first, as far as the ring goes back. */
  recent(): readonly RecordedEvent[] {
    return this.#ring.recent(this.#now());
  }

  /**
   * Gives some of the last events to `use`, oldest first, which must not keep them: unlike those of `recent`, they cost no memory. Rejects
   * with what `use` rejects with.
   */
  reading<T>(part: RingPart, use: (events: readonly RecordedEvent[]) => Promise<T>): Promise<T> {
    return this.#ring.reading(this.#now(), part, use);
  }

  /** The `seq` from which on events may be known; `undefined`: none is. */
  get oldest(): number | undefined {
    return this.#ring.oldest;
  }

  /** The messages that opened the last link of a server, also where they are too old for the ring. */
  openingOf(server: string): readonly RecordedEvent[] {
    return this.#openings.of(server);
  }

  /** What the ring takes in memory, in bytes, from above. */
  get heldBytes(): number {
    return this.#ring.bytes;
  }

  /** The limits may be others. */
  limitsChanged(): void {
    this.#ring.limits = this.#limits();
  }

  /** A link to a server is about to be opened: its messages are counted for it. */
  openLink(server: string, mask: Mask = (text) => text): LinkTap {
    const link = (this.#linkCount += 1);
    this.#links.set(server, link);
    this.#masks.set(server, mask);
    this.#openings.begin(server, link);
    return {
      message: (direction, message, http, text) => {
        const isOpening = this.#openings.isPart(server, link, direction, message);
        if (!isOpening && !this.#isOn) return;
        const at = this.#now();
        const seq = (this.#seq += 1);
        const call = direction === 'sent' ? sentForOf(message) : undefined;
        const frame = http?.();
        if (this.#ring.isOn) {
          const form = this.#formOf(direction, message, text, frame, call);
          this.#ring.add({ seq, at, server, connection: link, form });
        }
        if (!isOpening && this.#listeners === 0) return;
        const isWhole = this.#size.of(message, MAX_HELD);
        const { heap, text: bytes } = this.#size;
        const about = { ...(frame ? { http: frame } : {}), ...(call ? { call } : {}) };
        const what: RecordedWhat = { kind: 'message', direction, message, bytes, ...about };
        const event = { seq, at, server, connection: link, what };
        if (isOpening) this.#openings.keep(event, isWhole ? heap : Infinity);
        this.#emitter.fire(event);
      },
      placed: (request) => this.place?.(request) ?? request,
      unanswered: ({ id, method }, why) =>
        this.#note(server, link, { kind: 'unanswered', id, method, ...unansweredOf(why) }),
      stderr: (line) => this.#note(server, link, { kind: 'stderr', line }),
    };
  }

  /** What a request with these arguments, this very object, is sent for. */
  sending(args: object, call: SentFor): void {
    if (this.#isOn) noteSentFor(args, call);
  }

  /** Masks the secrets of all servers that were connected. */
  readonly mask: Mask = (text) => [...this.#masks.values()].reduce((masked, mask) => mask(masked), text);

  /** Runs `close` before the host is stopped, unless disposed before. */
  onClose(close: () => Promise<void>): Disposable {
    this.#closing.add(close);
    return { dispose: () => void this.#closing.delete(close) };
  }

  /** Resolves when everything that is being written is. Never rejects. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#closing].map((close) => close()));
  }

  /** Something happened that is no message. */
  note(server: string, what: Exclude<RecordedWhat, { kind: 'message' }>): void {
    this.#note(server, this.#links.get(server) ?? 0, what);
  }

  dispose(): void {
    this.#emitter.dispose();
    this.#ring.limits = { maxAgeMs: 0, maxBytes: 0 };
  }

  get #isOn(): boolean {
    return this.#listeners > 0 || this.#ring.isOn;
  }

  /** @param given its text, where it is at hand */
  #formOf(
    direction: Direction,
    message: object,
    given: string | undefined,
    http: HttpFrame | undefined,
    call: SentFor | undefined,
  ): KeptForm {
    const most = Math.min(MAX_TEXT, this.#ring.maxBytes / 4);
    const text = given ?? (this.#size.mayFit(message, most) ? messageText(message) : undefined);
    if (text !== undefined && text.length <= most) return messageForm(direction, text, { http, call });
    const cutFrom = text?.length ?? this.#size.text;
    return messageForm(direction, JSON.stringify(headOf(message)), { http, call, cutFrom });
  }

  #note(server: string, connection: number, what: Exclude<RecordedWhat, { kind: 'message' }>): void {
    if (!this.#isOn) return;
    const at = this.#now();
    const seq = (this.#seq += 1);
    if (this.#ring.isOn) this.#ring.add({ seq, at, server, connection, form: otherForm(what) });
    if (this.#listeners > 0) this.#emitter.fire({ seq, at, server, connection, what });
  }

  /** The wall clock, which counts no fractions, with those of the other, which stands still while the machine sleeps. */
  #now(): number {
    const steady = performance.now();
    if (steady - this.#comparedAt > COMPARED_EACH_MS) {
      this.#comparedAt = steady;
      this.#offsetMs = Date.now() - steady;
    }
    return steady + this.#offsetMs;
  }
}

/** Longer ids and methods than this are no use. A part of one would hold all of it in memory. */
const MAX_HEAD_CHARS = 1_000;

/** What is left of a message that is too large to keep: its id and its method, where they are short. */
export function headOf(message: object): object {
  const { id, method } = message as { readonly id?: unknown; readonly method?: unknown };
  const isShort = (value: unknown): boolean => typeof value === 'string' && value.length <= MAX_HEAD_CHARS;
  return {
    jsonrpc: '2.0',
    ...(isShort(id) || typeof id === 'number' ? { id } : {}),
    ...(isShort(method) ? { method } : {}),
  };
}

/** What is said of the failure of a request: never a text of the server's. */
function unansweredOf(error: unknown): { readonly reason: string; readonly status?: number } {
  if (typeof error === 'string') return { reason: error };
  if (error instanceof LocalFault) return { reason: error.kind };
  if (error instanceof HttpStatusError) return { reason: 'http', status: error.status };
  return { reason: networkCode(error) ?? 'failed' };
}
