import type { Clock } from './clock.ts';

/** Lets `burst` things through at once, and `perSecond` in the long run. */
export class RateLimit {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #burst: number;
  #left: number;
  #refilledAt: number;

  constructor(clock: Clock, perSecond: number, burst: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#left = burst;
    this.#refilledAt = clock.now();
  }

  /**
   * Whether one more may pass now.
   * @param cost what it counts for; one that counts for much may pass, and others wait for longer
   */
  take(cost = 1): boolean {
    const now = this.#clock.now();
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#refilledAt) / 1000) * this.#perSecond);
    this.#refilledAt = now;
    if (this.#left < 1) return false;
    this.#left -= cost;
    return true;
  }
}
