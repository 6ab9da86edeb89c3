import type { Clock } from '../../../../base/clock.ts';
import type { Disposable } from '../../../../base/disposable.ts';
import { RPC_CODES } from '../../../../connection/protocol/rpcCodes.ts';
import { RpcError } from '../jsonRpc.ts';
import type { HeldRequest } from './heldRequest.ts';

/** How long a client has to come back with its answers, in milliseconds: people give them. */
const HOLD_MS = 10 * 60_000;
/** So many wait for their clients at a time; the one ends that waits longest. */
const MAX_WAITING = 64;

interface Waiting {
  readonly held: HeldRequest;
  readonly expiry: Disposable;
}

/** The requests of an endpoint that are under way, and those that wait for their clients to come back. */
export class HeldRequests implements Disposable {
  readonly #clock: Clock;
  readonly #running = new Set<HeldRequest>();
  readonly #waiting = new Map<string, Waiting>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get running(): ReadonlySet<HeldRequest> {
    return this.#running;
  }

  /** Counts a request as under way until `end`. */
  run(held: HeldRequest): void {
    this.#running.add(held);
  }

  /**
   * What waits for this state, to go on with it; each state is good for once.
   * @throws RpcError where nothing waits for it, or something else
   */
  resume(state: unknown, about: string): HeldRequest {
    const waiting = typeof state === 'string' ? this.#waiting.get(state) : undefined;
    if (!waiting || waiting.held.about !== about)
      throw new RpcError(
        RPC_CODES.invalidParams,
        'No request waits for this `requestState`. Send it anew, without one.',
      );
    this.#waiting.delete(state as string);
    waiting.expiry.dispose();
    this.#running.add(waiting.held);
    return waiting.held;
  }

  /** A turn has ended: the request waits for its client where that was asked, and is over otherwise. */
  end(held: HeldRequest): void {
    this.#running.delete(held);
    const { state } = held;
    if (state === undefined) return held.dispose();
    const expiry = this.#clock.schedule(HOLD_MS, () => this.#drop(state));
    this.#waiting.set(state, { held, expiry });
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > MAX_WAITING && oldest !== undefined) this.#drop(oldest);
  }

  #drop(state: string): void {
    const waiting = this.#waiting.get(state);
    this.#waiting.delete(state);
    waiting?.expiry.dispose();
    waiting?.held.dispose();
  }

  dispose(): void {
    for (const state of [...this.#waiting.keys()]) this.#drop(state);
    for (const held of this.#running) held.dispose();
  }
}
