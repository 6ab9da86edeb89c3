import type { Clock } from '../../base/clock.ts';

/** How long a refusal holds, in milliseconds. */
const HOLDS_MS = 10 * 60_000;
/** More servers are forgotten, those first that were refused first. */
const MAX_SERVERS = 1_000;

/**
 * Servers whose resources the user has refused to the editor. It reads those that a result refers to by itself, whenever it
 * draws the result, so a result with links to them would ask again and again.
 */
export class RefusedReads {
  readonly #clock: Clock;
  readonly #until = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param key of a server's definition */
  add(key: string): void {
    this.#until.delete(key);
    this.#until.set(key, this.#clock.now() + HOLDS_MS);
    const [first] = this.#until.keys();
    if (this.#until.size > MAX_SERVERS && first !== undefined) this.#until.delete(first);
  }

  has(key: string): boolean {
    return (this.#until.get(key) ?? 0) > this.#clock.now();
  }
}
