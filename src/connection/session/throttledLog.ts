import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger, LogLevel } from '../../base/log.ts';
import { RateLimit } from '../../base/rateLimit.ts';

/** How much of a server's log is kept: at once, and in the long run. */
const LINES = { perSecond: 50, burst: 500 };
/** When it is said how many lines were left out, in milliseconds. */
const SAY_AFTER_MS = 5_000;

/** The log of one server's connection: what the server makes be said is limited, and how much was left out is said. */
export class ThrottledLog implements Logger, Disposable {
  readonly #inner: Logger;
  readonly #clock: Clock;
  readonly #limit: RateLimit;
  #leftOut = 0;
  #saying: Disposable | undefined;
  #isDisposed = false;

  constructor(inner: Logger, clock: Clock, { perSecond, burst } = LINES) {
    this.#inner = inner;
    this.#clock = clock;
    this.#limit = new RateLimit(clock, perSecond, burst);
  }

  /** Returns whether the line was kept. A message that costs something to make is made for those that are. */
  log(level: LogLevel, message: string | (() => string)): boolean {
    const isKept = this.#limit.take();
    if (isKept) this.#inner.log(level, typeof message === 'string' ? message : message());
    else if (!this.#isDisposed) {
      this.#leftOut += 1;
      this.#saying ??= this.#clock.schedule(SAY_AFTER_MS, () => this.#say());
    }
    return isKept;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#saying?.dispose();
    if (this.#leftOut > 0) this.#say();
  }

  #say(): void {
    this.#saying = undefined;
    this.#inner.log('warning', `… ${this.#leftOut} lines left out to limit the size of the log`);
    this.#leftOut = 0;
  }
}
