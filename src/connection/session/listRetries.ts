import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { planAttempt, type BackoffSettings } from '../reconnectPolicy.ts';

/** What came of a list. `empty`: of a server that says that it has tools; some add them after the handshake. */
export type ListOutcome = 'listed' | 'empty' | 'failed';

/** So often is a list that was empty fetched again. */
const MAX_EMPTY = 3;

/** Lists a session's tools again where that failed or there were none: without them, a connected server is of no use. */
export class ListRetries implements Disposable {
  readonly #clock: Clock;
  readonly #backoff: BackoffSettings;
  readonly #again: () => void;
  #attempts = 0;
  #empty = 0;
  #timer: Disposable | undefined;

  constructor(clock: Clock, backoff: BackoffSettings, again: () => void) {
    this.#clock = clock;
    this.#backoff = backoff;
    this.#again = again;
  }

  listed(outcome: ListOutcome): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (outcome !== 'failed') this.#attempts = 0;
    if (outcome === 'listed') this.#empty = 0;
    if (outcome === 'listed' || (outcome === 'empty' && this.#empty >= MAX_EMPTY)) return;
    const next = planAttempt(this.#backoff, outcome === 'empty' ? this.#empty : this.#attempts, Math.random());
    if (!next) return;
    if (outcome === 'empty') this.#empty = next.attempt;
    else this.#attempts = next.attempt;
    this.#timer = this.#clock.schedule(next.delayMs, () => this.#again());
  }

  dispose(): void {
    this.#timer?.dispose();
  }
}
