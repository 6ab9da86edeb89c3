import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';

/** Calls `check` after `idleMs` without traffic. */
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
    const dueMs = Math.max(0, this.#last + this.#idleMs - this.#clock.now());
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
