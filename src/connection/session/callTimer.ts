import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';

/**
 * The time-out of one call: progress restarts it, and it pauses while the user is asked (design: *Connections*). Pauses
 * nest.
 */
export class CallTimer implements Disposable {
  readonly #timeoutMs: number;
  readonly #clock: Clock;
  readonly #onExpired: () => void;
  #timer: Disposable | undefined;
  #pauses = 0;

  constructor(timeoutMs: number, clock: Clock, onExpired: () => void) {
    this.#timeoutMs = timeoutMs;
    this.#clock = clock;
    this.#onExpired = onExpired;
    this.restart();
  }

  restart(): void {
    this.#timer?.dispose();
    if (this.#pauses === 0) this.#timer = this.#clock.schedule(this.#timeoutMs, this.#onExpired);
  }

  pause(): void {
    this.#pauses++;
    this.#timer?.dispose();
  }

  /** Ends one pause; after the last one the call has its full time again. */
  resume(): void {
    this.#pauses--;
    this.restart();
  }

  dispose(): void {
    this.#pauses = Number.POSITIVE_INFINITY;
    this.#timer?.dispose();
  }
}

/** Pauses all calls, while the user is asked something. */
export function pauseAll(timers: ReadonlySet<CallTimer>): () => void {
  const paused = [...timers];
  for (const timer of paused) timer.pause();
  return () => {
    for (const timer of paused) timer.resume();
  };
}
