const FIRST = 32;
const LEAST = 8;
const MOST = 256;
/** Slower than this times the fastest, and by this many milliseconds more: the server has more to do than it can. */
const SLOWER = 3;
const SLACK_MS = 20;
/** By this much the fastest fades with each call, so that a server that is slower for good isn’t held down for ever. */
const FORGET = 1.0005;

/**
 * How many reading calls a server is sent at a time, found from how long they take: as long as more at a time don't make
 * them slower, it grows, and it falls where they do.
 */
export class AdaptiveLimit {
  #limit = FIRST;
  #fastestMs = Number.POSITIVE_INFINITY;

  get value(): number {
    return Math.floor(this.#limit);
  }

  /**
   * A call has ended.
   * @param ms how long the server took for it
   * @param isFull whether as many as allowed ran, so that more would have
   */
  note(ms: number, isFull: boolean): void {
    this.#fastestMs = Math.min(this.#fastestMs * FORGET, ms);
    if (ms > this.#fastestMs * SLOWER + SLACK_MS) this.#limit = Math.max(LEAST, this.#limit * 0.9);
    else if (isFull) this.#limit = Math.min(MOST, this.#limit + 1);
  }
}
