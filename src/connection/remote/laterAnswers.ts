import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';

/** How long no stream may be open before what should come on one is given up: one that ended is opened again. */
const WITHOUT_STREAM_MS = 10_000;

type Id = string | number;

/**
 * Requests that the server accepted (202) without an answer, while a stream is open that it could come on. Some servers
 * answer all requests there, which the specification forbids; nothing tells them from those that have nothing to say, so a
 * request fails by itself only where there is no stream any more. Its own time-out is the same as any other's.
 */
export class LaterAnswers {
  readonly #clock: Clock;
  readonly #waits: (id: Id) => boolean;
  readonly #fail: (id: Id) => void;
  #accepted: readonly Id[] = [];
  #timer: Disposable | undefined;
  #isDisposed = false;

  /** @param waits whether a request has no answer yet */
  constructor(clock: Clock, waits: (id: Id) => boolean, fail: (id: Id) => void) {
    this.#clock = clock;
    this.#waits = waits;
    this.#fail = fail;
  }

  accepted(id: Id | undefined): void {
    if (id !== undefined) this.#accepted = [...this.#accepted.filter(this.#waits), id];
  }

  /** A stream was opened, or ended. @param anyOpen whether one is open now */
  streamsChanged(anyOpen: boolean): void {
    if (this.#isDisposed) return;
    this.#timer?.dispose();
    this.#timer = anyOpen ? undefined : this.#clock.schedule(WITHOUT_STREAM_MS, () => this.#giveUp());
  }

  #giveUp(): void {
    const accepted = this.#accepted.filter(this.#waits);
    this.#accepted = [];
    for (const id of accepted) this.#fail(id);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
  }
}
