import { deferred, onAbort } from './async.ts';
import { toDisposable, type Disposable } from './disposable.ts';

/** Lets so many have a turn at once; the others wait for one, in the order in which they came. */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Waits for a turn.
   * @returns gives it back
   * @throws the reason of `signal`, where that aborts first
   */
  async take(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    return toDisposable(() => this.#giveBack());
  }

  async #turn(signal: AbortSignal): Promise<void> {
    const turn = deferred<void>();
    const begin = (): void => turn.resolve();
    this.#waiting.add(begin);
    const abortion = onAbort(signal, () => {
      // Whoever has the turn by now keeps it.
      if (this.#waiting.delete(begin)) turn.reject(signal.reason);
    });
    try {
      await turn.promise;
    } finally {
      abortion.dispose();
    }
  }

  #giveBack(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
