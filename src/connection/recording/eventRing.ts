import type { RecordedEvent } from './recordedEvent.ts';

/** How much a ring keeps: of the last `maxAgeMs` milliseconds, and no more than `maxBytes` in memory. Where either is 0, nothing. */
export interface RingLimits {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

/** What has been taken out is let go of in one go, so that not each event moves the others. */
const MAX_GAP = 1024;

interface Held {
  readonly event: RecordedEvent;
  readonly bytes: number;
}

/** The last events, oldest first. */
export class EventRing {
  #limits: RingLimits = { maxAgeMs: 0, maxBytes: 0 };
  #held: (Held | undefined)[] = [];
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
    this.#trim(this.isOn ? (this.#held.at(-1)?.event.at ?? 0) : Number.POSITIVE_INFINITY);
  }

  /** @param bytes what the event takes in memory */
  add(event: RecordedEvent, bytes: number): void {
    this.#held.push({ event, bytes });
    this.#bytes += bytes;
    this.#trim(event.at);
  }

  /** @param now milliseconds since the epoch */
  recent(now: number): readonly RecordedEvent[] {
    this.#trim(now);
    return this.#held.slice(this.#begin).flatMap((held) => held?.event ?? []);
  }

  #trim(now: number): void {
    const from = now - this.#limits.maxAgeMs;
    let first = this.#held[this.#begin];
    while (first && (this.#bytes > this.#limits.maxBytes || first.event.at < from)) {
      this.#bytes -= first.bytes;
      this.#held[this.#begin] = undefined;
      this.#begin += 1;
      first = this.#held[this.#begin];
    }
    if (this.#begin <= MAX_GAP && (this.#begin === 0 || this.#begin < this.#held.length)) return;
    this.#held.splice(0, this.#begin);
    this.#begin = 0;
  }
}
