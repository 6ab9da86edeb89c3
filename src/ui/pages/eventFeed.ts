import { Batch } from '../../base/async.ts';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { EventRow } from './eventRow.ts';
import type { EventsMessage } from './pageContent.ts';

/** What happened between servers and us. */
export interface EventSource {
  /** What is still known, oldest first. */
  recent(): Promise<readonly EventRow[]>;
  /** Tells what happens, until disposed. */
  onDidHappen(listener: (event: EventRow) => void): Disposable;
}

/** What happens within this time is sent, and drawn, at once. */
export const SEND_MS = 250;
/** So many are sent in one message. */
const AT_ONCE = 2_000;
/** More that wait than a page keeps are of no use to it. */
const MOST_WAITING = 100_000;

/** Sends a page what has happened, and what happens, while it shows events. */
export class EventFeed implements Disposable {
  readonly #source: EventSource;
  readonly #post: (message: EventsMessage) => unknown;
  #running: DisposableStore | undefined;

  constructor(source: EventSource, post: (message: EventsMessage) => unknown) {
    this.#source = source;
    this.#post = post;
  }

  /** @param isShown whether the page shows events now */
  follow(isShown: boolean): void {
    if (!isShown) this.stop();
    else if (!this.#running) void this.#start();
  }

  /** The page is hidden, or has forgotten what it was sent. */
  stop(): void {
    this.#running?.dispose();
    this.#running = undefined;
  }

  dispose(): void {
    this.stop();
  }

  /** Never rejects: what couldn’t be read is tried again with the next drawing. */
  async #start(): Promise<void> {
    const running = new DisposableStore();
    this.#running = running;
    let waiting: EventRow[] = [];
    const send = (): void => {
      const events = waiting;
      waiting = [];
      this.#send(events, false);
    };
    const batch = running.add(new Batch(SEND_MS, systemClock, send));
    let isBehind = true;
    running.add(
      this.#source.onDidHappen((event) => {
        if (waiting.length >= MOST_WAITING) waiting = waiting.slice(MOST_WAITING / 2);
        waiting.push(event);
        if (!isBehind) batch.trigger();
      }),
    );
    const recent = await this.#source.recent().catch(() => undefined);
    if (running.isDisposed) return;
    if (!recent) return this.stop();
    isBehind = false;
    this.#send(recent, true);
    // What has happened meanwhile can be among them.
    const last = recent.at(-1)?.seq ?? Number.NEGATIVE_INFINITY;
    waiting = waiting.filter(({ seq }) => seq > last);
    send();
  }

  #send(events: readonly EventRow[], isReset: boolean): void {
    if (isReset && events.length === 0) this.#post({ type: 'events', isReset, events });
    for (let from = 0; from < events.length; from += AT_ONCE)
      this.#post({ type: 'events', isReset: isReset && from === 0, events: events.slice(from, from + AT_ONCE) });
  }
}
