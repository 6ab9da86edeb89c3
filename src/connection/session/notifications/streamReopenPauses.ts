import type { Clock } from '../../../base/clock.ts';

/** Pauses before a stream is opened again, and what makes them begin anew, in milliseconds. */
const PAUSE_MS = { first: 1000, longest: 60_000 };
/** A stream that lasted this long was cut for another reason than that the server doesn't want it. */
const LASTING_MS = 30_000;
const MAX_REOPENINGS = 10;

/**
 * When a stream that the server ends is opened again: the pause doubles, and in the end it stays closed. Opening it isn't
 * enough to begin anew: it has to last.
 */
export class ReopenPauses {
  readonly #clock: Clock;
  #openedAt: number;
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#openedAt = clock.now();
  }

  opened(): void {
    this.#openedAt = this.#clock.now();
  }

  /** The stream ended. The pause in milliseconds; `undefined`: it stays closed. */
  next(): number | undefined {
    if (this.#clock.now() - this.#openedAt >= LASTING_MS) this.#count = 0;
    if (this.#count >= MAX_REOPENINGS) return undefined;
    return Math.min(PAUSE_MS.longest, PAUSE_MS.first * 2 ** this.#count++);
  }
}
