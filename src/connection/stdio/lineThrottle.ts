import type { Clock } from '../../base/clock.ts';

/** Passes lines on, at most `burst` at once and `linesPerSecond` in the long run, and says how many it left out. */
export class LineThrottle {
  readonly #clock: Clock;
  readonly #write: (line: string) => void;
  readonly #linesPerSecond: number;
  readonly #burst: number;
  #tokens: number;
  #refilledAt: number;
  #leftOut = 0;

  constructor(clock: Clock, write: (line: string) => void, linesPerSecond: number = 50, burst: number = 500) {
    this.#clock = clock;
    this.#write = write;
    this.#linesPerSecond = linesPerSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#refilledAt = clock.now();
  }

  line(text: string): void {
    const now = this.#clock.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#refilledAt) / 1000) * this.#linesPerSecond);
    this.#refilledAt = now;
    if (this.#tokens < 1) {
      this.#leftOut++;
      return;
    }
    this.flush();
    this.#tokens--;
    this.#write(text);
  }

  /** Says now how many lines were left out, if any were. */
  flush(): void {
    if (this.#leftOut === 0) return;
    const count = this.#leftOut;
    this.#leftOut = 0;
    this.#write(`… ${count} lines left out: the server writes faster than the log takes`);
  }
}
