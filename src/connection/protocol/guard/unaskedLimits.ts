import type { Clock } from '../../../base/clock.ts';
import { RateLimit } from '../../../base/rateLimit.ts';

/** What a server sends too much of. */
export type Flood = 'notifications' | 'requests' | 'large notifications';

/** What a server may send unasked, at once and in the long run. */
const UNASKED = {
  notifications: { perSecond: 500, burst: 2_000 },
  requests: { perSecond: 10, burst: 100 },
} as const;

/** Limits what a server sends that nobody asked for. */
export class UnaskedLimits {
  readonly #limits: Readonly<Record<keyof typeof UNASKED, RateLimit>>;
  readonly #flooded: Flood[] = [];
  readonly #onFlood: (what: Flood) => void;

  /** @param onFlood called once for each kind */
  constructor(clock: Clock, onFlood: (what: Flood) => void) {
    this.#onFlood = onFlood;
    const limit = ({ perSecond, burst }: { perSecond: number; burst: number }): RateLimit =>
      new RateLimit(clock, perSecond, burst);
    this.#limits = { notifications: limit(UNASKED.notifications), requests: limit(UNASKED.requests) };
  }

  /** Not even a refusal answers what is too much: answers that nobody reads would pile up. */
  isWelcome(what: keyof typeof UNASKED, cost: number): boolean {
    if (this.#limits[what].take(Math.min(cost, UNASKED[what].burst))) return true;
    this.tell(what);
    return false;
  }

  tell(what: Flood): void {
    if (this.#flooded.includes(what)) return;
    this.#flooded.push(what);
    this.#onFlood(what);
  }
}
