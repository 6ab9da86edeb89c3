import { deferred, onAbort } from '../base/async.ts';
import type { Clock } from '../base/clock.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { Logger } from '../base/log.ts';
import { describeState, isUnderWay, transition, type ConnectionEvent } from './connectionState.ts';
import type { ConnectionState } from './connectionTypes.ts';

/** The state of one connection: changed here and nowhere else, and only as `transition` says. */
export class StateKeeper implements Disposable {
  #state: ConnectionState = { kind: 'disconnected' };
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #onState: (previous: ConnectionState) => void;
  readonly #changed = new Emitter<void>();

  constructor(clock: Clock, logger: Logger, onState: (previous: ConnectionState) => void) {
    this.#clock = clock;
    this.#logger = logger;
    this.#onState = onState;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  apply(event: ConnectionEvent): void {
    const previous = this.#state;
    const next = transition(previous, event);
    if (next === previous) return;
    this.#state = next;
    if (next.kind !== 'connected' && next.kind !== 'connecting') {
      this.#logger.log(next.kind === 'failed' ? 'error' : 'info', describeState(next, this.#clock.now()));
    }
    this.#onState(previous);
    this.#changed.fire();
  }

  /** While it connects: waits until that came to something, `waitMs` are over, or the signal aborts, whichever is first. */
  async settled(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
    const done = deferred<void>();
    const store = new DisposableStore();
    store.add(this.#clock.schedule(waitMs, () => done.resolve()));
    store.add(this.#changed.event(() => !isUnderWay(this.#state) && done.resolve()));
    if (signal) store.add(onAbort(signal, () => done.resolve()));
    await done.promise;
    store.dispose();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
