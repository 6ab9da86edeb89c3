import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { planAttempt, type BackoffSettings } from '../reconnectPolicy.ts';

/** Lists a session's tools again where that failed: without them, a connected server is of no use. */
export class ListRetries implements Disposable {
  readonly #clock: Clock;
  readonly #backoff: BackoffSettings;
  readonly #again: () => void;
  #attempts = 0;
  #timer: Disposable | undefined;

  constructor(clock: Clock, backoff: BackoffSettings, again: () => void) {
    this.#clock = clock;
    this.#backoff = backoff;
    this.#again = again;
  }

  /** @param error why the list failed; `undefined`: it didn't */
  listed(error: string | undefined): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (error === undefined) this.#attempts = 0;
    const next = error === undefined ? undefined : planAttempt(this.#backoff, this.#attempts, Math.random());
    if (!next) return;
    this.#attempts = next.attempt;
    this.#timer = this.#clock.schedule(next.delayMs, () => this.#again());
  }

  dispose(): void {
    this.#timer?.dispose();
  }
}
