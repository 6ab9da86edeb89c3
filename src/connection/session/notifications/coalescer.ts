import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { RateLimit } from '../../../base/rateLimit.ts';

/** What passes at once. */
const AT_ONCE = { perSecond: 1, burst: 20 };
/** How long the rest waits, in milliseconds: doubles for as long as it is a flood. */
const WAIT_MS = { first: 1_000, longest: 60_000 };
const FLOOD_PER_SECOND = 20;
/** How many different things wait; more than that tell nobody more. */
const MAX_WAITING = 1_000;

/** Passes news on; of a flood of them, each once per a time that grows with it. The last one is never lost. */
export class Coalescer<T> implements Disposable {
  readonly #clock: Clock;
  readonly #pass: (news: T) => void;
  readonly #limit: RateLimit;
  readonly #waiting = new Map<string, T>();
  #timer: Disposable | undefined;
  #waitMs = WAIT_MS.first;
  #added = 0;

  constructor(clock: Clock, pass: (news: T) => void) {
    this.#clock = clock;
    this.#pass = pass;
    this.#limit = new RateLimit(clock, AT_ONCE.perSecond, AT_ONCE.burst);
  }

  /** @param key the same for news that say the same */
  add(key: string, news: T): void {
    if (!this.#timer && this.#limit.take()) return this.#pass(news);
    this.#added += 1;
    if (this.#waiting.size < MAX_WAITING) this.#waiting.set(key, news);
    this.#timer ??= this.#clock.schedule(this.#waitMs, () => this.#passAll());
  }

  #passAll(): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    const isFlood = this.#added > (FLOOD_PER_SECOND * this.#waitMs) / 1000;
    this.#added = 0;
    this.#waitMs = isFlood ? Math.min(WAIT_MS.longest, this.#waitMs * 2) : WAIT_MS.first;
    this.#timer = all.length > 0 ? this.#clock.schedule(this.#waitMs, () => this.#passAll()) : undefined;
    for (const news of all) this.#pass(news);
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#waiting.clear();
  }
}
