import { deferred, onAbort, type Deferred } from '../../base/async.ts';

/** A slot to start in. Releasing it twice is harmless. */
export interface Slot {
  release(): void;
}

/** Gives a limited number of slots, first come, first served. The limit is read each time. */
export class StartQueue {
  readonly #limit: () => number;
  readonly #waiting: Deferred<Slot>[] = [];
  #taken = 0;

  constructor(limit: () => number) {
    this.#limit = limit;
  }

  /** Waits for a slot. Rejects with the signal's reason when it aborts first. */
  async acquire(signal: AbortSignal): Promise<Slot> {
    signal.throwIfAborted();
    const place = deferred<Slot>();
    this.#waiting.push(place);
    const abortion = onAbort(signal, () => {
      const index = this.#waiting.indexOf(place);
      if (index < 0) return;
      this.#waiting.splice(index, 1);
      place.reject(signal.reason);
    });
    this.#serve();
    try {
      return await place.promise;
    } finally {
      abortion.dispose();
    }
  }

  #serve(): void {
    while (this.#taken < Math.max(1, this.#limit())) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#taken++;
      next.resolve(this.#slot());
    }
  }

  #slot(): Slot {
    let released = false;
    return {
      release: () => {
        if (released) return;
        released = true;
        this.#taken--;
        this.#serve();
      },
    };
  }
}
