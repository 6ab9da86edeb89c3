import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';
import type { InFlight } from '../../../base/inFlight.ts';

/** A call that reports progress may take this many time-outs in total (specification: *Lifecycle*, *Timeouts*). */
export const TOTAL_TIMEOUTS = 10;

/**
 * The time-out of one call: progress restarts it, up to a total, and it pauses while the user is asked (design:
 * *Connections*). Pauses nest.
 */
export class CallTimer implements Disposable {
  readonly #timeoutMs: number;
  readonly #clock: Clock;
  readonly #onExpired: () => void;
  #timer: Disposable | undefined;
  #pauses = 0;
  #pausedAt = 0;
  #endsAt: number;

  constructor(timeoutMs: number, clock: Clock, onExpired: () => void) {
    this.#timeoutMs = timeoutMs;
    this.#clock = clock;
    this.#onExpired = onExpired;
    this.#endsAt = clock.now() + timeoutMs * TOTAL_TIMEOUTS;
    this.restart();
  }

  restart(): void {
    this.#timer?.dispose();
    if (this.#pauses > 0) return;
    const leftMs = Math.max(0, this.#endsAt - this.#clock.now());
    this.#timer = this.#clock.schedule(Math.min(this.#timeoutMs, leftMs), this.#onExpired);
  }

  pause(): void {
    if (this.#pauses === 0) this.#pausedAt = this.#clock.now();
    this.#pauses++;
    this.#timer?.dispose();
  }

  /** Ends one pause; after the last one the call has its full time again, of what is left in total. */
  resume(): void {
    this.#pauses--;
    if (this.#pauses === 0) this.#endsAt += this.#clock.now() - this.#pausedAt;
    this.restart();
  }

  /** Whether the call has had all of its time. */
  get isOver(): boolean {
    return this.#clock.now() >= this.#endsAt;
  }

  dispose(): void {
    this.#pauses = Number.POSITIVE_INFINITY;
    this.#timer?.dispose();
  }
}

/** Those of the calls that run. */
export type CallTimers = InFlight<CallTimer>;

/** Pauses all calls, while the user is asked something. */
export function pauseAll(timers: Pick<CallTimers, 'keys'>): () => void {
  const paused = timers.keys();
  for (const timer of paused) timer.pause();
  return () => {
    for (const timer of paused) timer.resume();
  };
}
