import { Throttle } from '../../../base/async.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { RateLimit } from '../../../base/rateLimit.ts';
import type { CallProgress } from '../../connectionTypes.ts';

/** Progress that is told at once; what comes faster is told in steps of `everyMs`, the last of each. */
const TOLD = { perSecond: 10, burst: 50, everyMs: 100 };
const MAX_MESSAGE_CHARS = 2_000;

/** Tells the progress of one request, however fast it comes. */
export class ProgressTeller implements Disposable {
  readonly #listener: (progress: CallProgress) => void;
  readonly #limit: RateLimit;
  readonly #later: Throttle;
  #untold: CallProgress | undefined;

  constructor(listener: (progress: CallProgress) => void, clock: Clock) {
    this.#listener = listener;
    this.#limit = new RateLimit(clock, TOLD.perSecond, TOLD.burst);
    this.#later = new Throttle(TOLD.everyMs, clock, () => this.flush());
  }

  tell({ message, ...numbers }: CallProgress): void {
    this.#untold = message === undefined ? numbers : { ...numbers, message: message.slice(0, MAX_MESSAGE_CHARS) };
    if (this.#limit.take()) this.flush();
    else this.#later.trigger();
  }

  /** Tells what came last, if it isn't told yet. */
  flush(): void {
    const progress = this.#untold;
    this.#untold = undefined;
    if (progress) this.#listener(progress);
  }

  dispose(): void {
    this.#later.dispose();
  }
}
