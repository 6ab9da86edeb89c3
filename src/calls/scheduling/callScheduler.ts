import { deferred, onAbort } from '../../base/async.ts';
import { InFlight } from '../../base/inFlight.ts';
import { SwitchboardError } from '../../base/errors.ts';
import { AdaptiveLimit } from './adaptiveLimit.ts';

/** Waits without a turn. @throws SwitchboardError `call-cancelled` where its call ends before it has another one */
export type Paused = <T>(wait: () => Promise<T>) => Promise<T>;

/** Who waits for a turn, longest first; each is called when it is its turn. */
type Queue = InFlight<() => void>;

class Lane {
  reading = 0;
  writing = 0;
  readonly adaptive = new AdaptiveLimit();
  readonly #reads: Queue = new InFlight();
  readonly #writes: Queue = new InFlight();

  queueOf(writes: boolean): Queue {
    return writes ? this.#writes : this.#reads;
  }
}

/**
 * Per server: calls that only read run side by side up to a limit, those that may write one after another. Reading calls
 * don't wait for a writing one. Who is cancelled leaves the queue.
 */
export class CallScheduler {
  readonly #lanes = new Map<string, Lane>();
  readonly #limit: () => number;

  /** @param limit how many reading calls of one server run at a time; 0: as many as don't make it slower */
  constructor(limit: () => number) {
    this.#limit = limit;
  }

  /**
   * Runs `task` when it is its turn.
   * @param task gets what gives its turn up while it waits for something, and takes another one then; and how long it
   * waited for its turn, in milliseconds
   * @throws SwitchboardError `call-cancelled` where `signal` aborts before that
   */
  async run<T>(
    serverId: string,
    writes: boolean,
    signal: AbortSignal,
    task: (paused: Paused, waitedMs: number) => Promise<T>,
  ): Promise<T> {
    const lane = this.#lane(serverId);
    const asked = performance.now();
    const turn = this.#take(lane, writes, signal);
    if (turn) await turn;
    const began = turn ? performance.now() : asked;
    let hasTurn = true;
    let wasPaused = false;
    let next: Promise<void> | undefined;
    const resume = async (): Promise<void> => {
      await this.#take(lane, writes, signal);
      hasTurn = true;
      next = undefined;
    };
    const paused: Paused = async (wait) => {
      if (hasTurn) this.#leave(lane, writes);
      [hasTurn, wasPaused] = [false, true];
      try {
        return await wait();
      } finally {
        // Of several that end together, the first takes the turn for all.
        if (!hasTurn) await (next ??= resume());
      }
    };
    try {
      return await task(paused, began - asked);
    } finally {
      if (!writes && !wasPaused) lane.adaptive.note(performance.now() - began, !this.#free(lane, false));
      if (hasTurn) this.#leave(lane, writes);
      else
        void next?.then(
          () => this.#leave(lane, writes),
          () => undefined,
        );
    }
  }

  /** `undefined`: it is its turn now. */
  #take(lane: Lane, writes: boolean, signal: AbortSignal): Promise<void> | undefined {
    if (!this.#free(lane, writes) || lane.queueOf(writes).size > 0) return this.#wait(lane, writes, signal);
    this.#enter(lane, writes);
    return undefined;
  }

  #leave(lane: Lane, writes: boolean): void {
    if (writes) lane.writing -= 1;
    else lane.reading -= 1;
    this.#startNext(lane, writes);
  }

  async #wait(lane: Lane, writes: boolean, signal: AbortSignal): Promise<void> {
    const turn = deferred<void>();
    const queue = lane.queueOf(writes);
    const start = (): void => turn.resolve();
    queue.set(start, true);
    const abortion = onAbort(signal, () => {
      if (!queue.take(start)) return;
      turn.reject(
        new SwitchboardError('call-cancelled', 'The call was cancelled while it was queued. It did not run.'),
      );
    });
    try {
      await turn.promise;
    } finally {
      abortion.dispose();
    }
  }

  /** Those that may run now that one has ended. */
  #startNext(lane: Lane, writes: boolean): void {
    const queue = lane.queueOf(writes);
    for (const start of queue.keys()) {
      if (!this.#free(lane, writes)) return;
      queue.take(start);
      this.#enter(lane, writes);
      start();
    }
  }

  #free(lane: Lane, writes: boolean): boolean {
    return writes ? lane.writing === 0 : lane.reading < (this.#limit() || lane.adaptive.value);
  }

  #enter(lane: Lane, writes: boolean): void {
    if (writes) lane.writing += 1;
    else lane.reading += 1;
  }

  #lane(serverId: string): Lane {
    let lane = this.#lanes.get(serverId);
    if (!lane) {
      lane = new Lane();
      this.#lanes.set(serverId, lane);
    }
    return lane;
  }
}
