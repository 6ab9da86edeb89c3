import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';

/** How long an answer may take that comes on another stream, until one came so. */
const LONGEST_MS = 10_000;

/**
 * Requests that the server accepted (202) without an answer, while a stream is open that it could come on. Some servers
 * answer all requests there; the specification forbids it, so others only mean that they have nothing to say.
 */
export class LaterAnswers {
  readonly #clock: Clock;
  readonly #fail: (id: string | number) => boolean;
  readonly #timers = new Set<Disposable>();
  #come = false;

  /** @param fail fails a request if it has no answer; returns whether it had none */
  constructor(clock: Clock, fail: (id: string | number) => boolean) {
    this.#clock = clock;
    this.#fail = fail;
  }

  /** A server that has answered so once may take as long as any other. */
  accepted(id: string | number | undefined): void {
    if (id === undefined || this.#come) return;
    const timer = this.#clock.schedule(LONGEST_MS, () => {
      this.#timers.delete(timer);
      if (!this.#come) this.#come = !this.#fail(id);
    });
    this.#timers.add(timer);
  }

  dispose(): void {
    for (const timer of this.#timers) timer.dispose();
  }
}
