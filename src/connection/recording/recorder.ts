import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Mask } from '../../base/text/secrets.ts';
import { READING, type RawMessage } from '../reading/readMessages.ts';
import { EventRing, type RingLimits } from './eventRing.ts';
import { heldSize } from './heldSize.ts';
import type { HttpFrame, RecordedEvent, RecordedWhat } from './recordedEvent.ts';

/** What is recorded without a setting. */
export const DEFAULT_RING: RingLimits = { maxAgeMs: 10 * 60_000, maxBytes: 16 * 1024 * 1024 };

/** A message that takes more in memory is cut where it is kept, in bytes; with a small ring, a quarter of that. */
export const MAX_HELD = 4 * 1024 * 1024;
/** What an event takes beside its texts and its message, in bytes. */
const PER_EVENT = 256;

/** Takes what passes a link. */
export interface LinkTap {
  /** `http`: the answer that the message came in, made only where somebody wants it. */
  message(direction: 'sent' | 'received', message: object, http?: () => HttpFrame): void;
  stderr(line: string): void;
}

/**
 * Tells what happens between servers and us, and keeps the last of it in memory. One for all connections. While nobody
 * listens and the ring is off, nothing is made.
 */
export class Recorder implements Disposable {
  readonly #ring: EventRing;
  readonly #emitter = new Emitter<RecordedEvent>();
  #listeners = 0;
  /** The last link of each server. */
  readonly #links = new Map<string, number>();
  /** What masks the secrets of each server, also of those that are gone. */
  readonly #masks = new Map<string, Mask>();
  readonly #closing = new Set<() => Promise<void>>();
  readonly #limits: () => RingLimits;
  #seq = 0;
  #linkCount = 0;
  #offsetMs = 0;

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
    return {
      message: (direction, message, http) => {
        if (this.#isOn) this.#message(server, link, direction, message, http?.());
      },
      stderr: (line) => this.#note(server, link, { kind: 'stderr', line }, line.length),
    };
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
    const text = Object.values(what).reduce((sum, each) => sum + each.length, 0);
    this.#note(server, this.#links.get(server) ?? 0, what, text);
  }

  dispose(): void {
    this.#emitter.dispose();
    this.#ring.limits = { maxAgeMs: 0, maxBytes: 0 };
  }

  get #isOn(): boolean {
    return this.#listeners > 0 || this.#ring.isOn;
  }

  #message(
    server: string,
    connection: number,
    direction: 'sent' | 'received',
    message: object,
    http: HttpFrame | undefined,
  ): void {
    const limit = Math.min(MAX_HELD, this.#ring.maxBytes / 4 || MAX_HELD);
    const { heap, text } = heldSize(message, limit);
    const what = { kind: 'message', direction, message, bytes: text, ...(http && { http }) } as const;
    const event: RecordedEvent = { seq: (this.#seq += 1), at: this.#now(), server, connection, what };
    if (this.#ring.isOn) {
      const isCut = heap >= limit;
      // With numbers that a double can't hold, the text of the message is held, too.
      const isTwice = (message as RawMessage)[READING]?.exact !== undefined;
      const bytes = PER_EVENT + (isCut ? 0 : isTwice ? 2 * heap : heap) + (http ? PER_EVENT * 4 : 0);
      this.#ring.add(isCut ? { ...event, what: { ...what, message: headOf(message), cut: true } } : event, bytes);
    }
    if (this.#listeners > 0) this.#emitter.fire(event);
  }

  #note(server: string, connection: number, what: RecordedWhat, characters: number): void {
    if (!this.#isOn) return;
    const event: RecordedEvent = { seq: (this.#seq += 1), at: this.#now(), server, connection, what };
    if (this.#ring.isOn) this.#ring.add(event, PER_EVENT + 2 * characters);
    if (this.#listeners > 0) this.#emitter.fire(event);
  }

  /** The wall clock, which counts no fractions, with those of the other; that one stands still while the machine sleeps. */
  #now(): number {
    const [wall, steady] = [Date.now(), performance.now()];
    if (Math.abs(wall - steady - this.#offsetMs) > 2) this.#offsetMs = wall - steady;
    return steady + this.#offsetMs;
  }
}

/** Longer ids and methods than this are no use. */
const MAX_HEAD_CHARS = 1_000;

/** What is left of a message that is too large to keep. */
export function headOf(message: object): object {
  const { id, method } = message as { readonly id?: unknown; readonly method?: unknown };
  const short = (value: unknown): unknown => (typeof value === 'string' ? value.slice(0, MAX_HEAD_CHARS) : value);
  const isId = typeof id === 'string' || typeof id === 'number';
  return {
    jsonrpc: '2.0',
    ...(isId ? { id: short(id) } : {}),
    ...(typeof method === 'string' ? { method: short(method) } : {}),
  };
}
