import type { RecordedEvent } from './recordedEvent.ts';

/** How much a ring keeps: of the last `maxAgeMs` milliseconds, and no more than `maxBytes` in memory. Where either is 0, nothing. */
export interface RingLimits {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

/** What has been taken out is let go of in one go, so that not each event moves the others. */
const MAX_GAP = 1024;

/** The last events, oldest first. */
export class EventRing {
  #limits: RingLimits;
  #events: (RecordedEvent | undefined)[] = [];
  #sizes: number[] = [];
  #begin = 0;
  #bytes = 0;

  constructor(limits: RingLimits) {
    this.#limits = limits;
  }

  get isOn(): boolean {
    return this.#limits.maxAgeMs > 0 && this.#limits.maxBytes > 0;
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
    this.#trim(this.#events.at(-1)?.at ?? 0);
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
    return this.#events.slice(this.#begin) as RecordedEvent[];
  }

  #trim(now: number): void {
    const { maxAgeMs, maxBytes } = this.#limits;
    const from = this.isOn ? now - maxAgeMs : Number.POSITIVE_INFINITY;
    for (let first = this.#events[this.#begin]; first; first = this.#events[this.#begin]) {
      if (this.#bytes <= maxBytes && first.at >= from) break;
      this.#bytes -= this.#sizes[this.#begin] ?? 0;
      this.#events[this.#begin] = undefined;
      this.#begin += 1;
    }
    if (this.#begin <= MAX_GAP && this.#begin < this.#events.length) return;
    this.#events.splice(0, this.#begin);
    this.#sizes.splice(0, this.#begin);
    this.#begin = 0;
  }
}
