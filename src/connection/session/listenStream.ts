import type { Client, SubscriptionFilter } from '@modelcontextprotocol/client';
import { deferred } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/log.ts';

/** Between a stream that the server ended and the next: doubles up to the second number. */
const RELISTEN_MS = { first: 1000, longest: 30_000 };

/**
 * A `subscriptions/listen` stream of a server of 2026-07-28, opened again whenever it ends. What comes on it goes to the
 * client's notification handlers.
 */
export class ListenStream implements Disposable {
  readonly #client: Client;
  readonly #filter: SubscriptionFilter;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #onAgain: () => void;
  readonly #closing = new AbortController();
  readonly #opened = deferred<void>();
  #timer: Disposable | undefined;
  #delayMs = RELISTEN_MS.first;

  /** @param onAgain the stream is open again; what changed in between was not announced */
  constructor(client: Client, filter: SubscriptionFilter, clock: Clock, logger: Logger, onAgain: () => void) {
    this.#client = client;
    this.#filter = filter;
    this.#clock = clock;
    this.#logger = logger;
    this.#onAgain = onAgain;
    this.#opened.promise.catch(() => undefined);
    void this.#listen(false);
  }

  /** Settles with the first attempt. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  dispose(): void {
    this.#closing.abort('no longer needed');
    this.#timer?.dispose();
  }

  async #listen(again: boolean): Promise<void> {
    const { signal } = this.#closing;
    try {
      const stream = await this.#client.listen(this.#filter, { signal });
      this.#opened.resolve();
      this.#delayMs = RELISTEN_MS.first;
      if (again) this.#onAgain();
      await stream.closed;
    } catch (error) {
      this.#opened.reject(error);
      this.#logger.log('debug', `subscriptions/listen: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (signal.aborted) return;
    this.#timer = this.#clock.schedule(this.#delayMs, () => void this.#listen(true));
    this.#delayMs = Math.min(RELISTEN_MS.longest, this.#delayMs * 2);
  }
}
