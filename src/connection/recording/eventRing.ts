import type { RecordedEvent } from './recordedEvent.ts';

/** How much a ring keeps: of the last `maxAgeMs` milliseconds, and no more than `maxBytes` in memory. Where either is 0, nothing. */
export interface RingLimits {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

/** So many that were taken out are let go of in one go at least, and half of all: so not each event moves the others. */
const MIN_GAP = 1024;

/** The last events, oldest first. */
export class EventRing {
  #limits: RingLimits = { maxAgeMs: 0, maxBytes: 0 };
  #events: (RecordedEvent | undefined)[] = [];
  /** What each of them takes, in bytes. */
  #sizes: number[] = [];
  #begin = 0;
  #bytes = 0;
  /** Whether it keeps anything. */
  isOn = false;

  constructor(limits: RingLimits) {
    this.limits = limits;
  }

  get maxBytes(): number {
    return this.#limits.maxBytes;
  }

  /** What its events take, in bytes, from above. */
  get bytes(): number {
    return this.#bytes;
  }

  set limits(limits: RingLimits) {
    this.#limits = limits;
    this.isOn = limits.maxAgeMs > 0 && limits.maxBytes > 0;
    this.#trim(this.isOn ? (this.#events.at(-1)?.at ?? 0) : Number.POSITIVE_INFINITY);
  }

  /** @param bytes what the event takes in memory */
  add(event: RecordedEvent, bytes: number): void {
    this.#events.push(event);
    this.#sizes.push(bytes);
    this.#bytes += bytes;
    this.#trim(event.at);
  }

  /** @param now milliseconds since the epoch */
  recent(now: number): readonly RecordedEvent[] {
    this.#trim(now);
    return this.#events.slice(this.#begin).filter((event) => event !== undefined);
  }

  #trim(now: number): void {
    const from = now - this.#limits.maxAgeMs;
    const events = this.#events;
    let first = events[this.#begin];
    while (first && (this.#bytes > this.#limits.maxBytes || first.at < from)) {
      this.#bytes -= this.#sizes[this.#begin] ?? 0;
      events[this.#begin] = undefined;
      this.#begin += 1;
      first = events[this.#begin];
    }
    if (this.#begin < events.length && (this.#begin < MIN_GAP || this.#begin < events.length / 2)) return;
    events.splice(0, this.#begin);
    this.#sizes.splice(0, this.#begin);
    this.#begin = 0;
  }
}
