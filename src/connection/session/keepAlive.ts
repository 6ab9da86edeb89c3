import { untilWake, WAKE_MS, type Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';

/** Calls `check` after `idleMs` without traffic, together with what else is due about then (`WAKE_MS`). */
export class KeepAlive implements Disposable {
  readonly #clock: Clock;
  readonly #idleMs: number;
  readonly #check: () => Promise<unknown>;
  #last: number;
  #timer: Disposable | undefined;
  #disposed = false;

  constructor(clock: Clock, check: () => Promise<unknown>, idleMs: number) {
    this.#clock = clock;
    this.#idleMs = idleMs;
    this.#check = check;
    this.#last = clock.now();
    this.#plan();
  }

  /** There was traffic. */
  touch(): void {
    this.#last = this.#clock.now();
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.dispose();
  }

  #plan(): void {
    if (this.#disposed) return;
    const dueAt = this.#last + this.#idleMs;
    const dueMs = this.#idleMs < WAKE_MS ? Math.max(0, dueAt - this.#clock.now()) : untilWake(this.#clock, dueAt);
    this.#timer = this.#clock.schedule(dueMs, () => void this.#due());
  }

  async #due(): Promise<void> {
    if (this.#clock.now() - this.#last >= this.#idleMs) {
      await this.#check();
      this.touch();
    }
    this.#plan();
  }
}
