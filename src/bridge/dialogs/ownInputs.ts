import { deferred, type Deferred } from '../../base/async.ts';

/**
 * The editor shows one list or box at a time. Handing a server over takes a list of the editor's own, which would close one
 * that the user is answering: so it waits until none of ours is shown, and ours wait the moment that it takes.
 */
export class OwnInputs {
  #shown = 0;
  #noneShown: Deferred<void> | undefined;
  /** Settles when what runs alone has ended; undefined when nothing does. */
  #alone: Promise<void> | undefined;

  /** Shows a list or box by `ask`, which settles when that is answered or closed. */
  async ask<T>(ask: () => PromiseLike<T>): Promise<T> {
    while (this.#alone) await this.#alone;
    this.#shown += 1;
    try {
      return await ask();
    } finally {
      this.#shown -= 1;
      if (this.#shown === 0) {
        this.#noneShown?.resolve();
        this.#noneShown = undefined;
      }
    }
  }

  /** Runs `work` when none of our lists and boxes is shown; what would be shown meanwhile waits for its end. */
  async whileNoneIsShown<T>(work: () => Promise<T>): Promise<T> {
    while (this.#alone || this.#shown > 0) await (this.#alone ?? (this.#noneShown ??= deferred()).promise);
    const ended = deferred<void>();
    this.#alone = ended.promise;
    try {
      return await work();
    } finally {
      this.#alone = undefined;
      ended.resolve();
    }
  }
}

/** Those of this window. */
export const ownInputs = new OwnInputs();
