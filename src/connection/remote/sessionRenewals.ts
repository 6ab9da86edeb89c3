import type { Clock } from '../../base/clock.ts';
import type { Asked } from './answers/httpAnswer.ts';

/** How long it counts that a session was made anew, in milliseconds. */
const COUNTS_MS = 5 * 60_000;

/**
 * Which kinds of requests made a server's session be renewed and haven't succeeded since: a second refusal is the
 * server's answer, not the session's end. Outlives the sessions.
 */
export class Renewals {
  readonly #clock: Clock;
  readonly #since = new Map<Asked, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get any(): boolean {
    return this.#since.size > 0;
  }

  has(asked: Asked): boolean {
    const since = this.#since.get(asked);
    return since !== undefined && this.#clock.now() - since < COUNTS_MS;
  }

  renewed(asked: Asked): void {
    this.#since.set(asked, this.#clock.now());
  }

  succeeded(asked: Asked): void {
    this.#since.delete(asked);
  }
}
