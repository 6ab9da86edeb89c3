import { InFlight } from '../../../base/inFlight.ts';
import type { AskedRequest } from '../../cleaning/cleanAnswer.ts';

type Id = string | number;

interface Waiting extends AskedRequest {
  /** Its place among all that was sent. */
  readonly order: number;
}

/** The requests that wait for an answer, and which of them an answer is meant for. */
export class WaitingRequests {
  readonly #waiting = new InFlight<Id, Waiting>();
  #order = 0;
  #highest = 0;
  /** Of the last notification that nothing was heard of since: a server may answer it with an error. */
  #lastNotification = 0;

  add(id: Id, method: string, params: AskedRequest['params']): void {
    this.#waiting.set(id, { method, params, order: ++this.#order });
    if (typeof id === 'number') this.#highest = Math.max(this.#highest, id);
  }

  /** A notification was sent. */
  notified(): void {
    this.#lastNotification = ++this.#order;
  }

  /** The ids of the requests of a method that wait. */
  idsOf(method: string): readonly Id[] {
    return this.ids.filter((id) => this.#waiting.get(id)?.method === method);
  }

  /** What a request asks for; `undefined`: it doesn't wait. */
  methodOf(id: Id): string | undefined {
    return this.#waiting.get(id)?.method;
  }

  get ids(): readonly Id[] {
    return this.#waiting.keys();
  }

  /** The id as it was sent, where it is of one that waits: a server that answers "7" to 7 means 7. */
  find(id: unknown): Id | undefined {
    if (typeof id !== 'string' && typeof id !== 'number') return undefined;
    if (this.#waiting.get(id)) return id;
    const other = typeof id === 'number' ? String(id) : id.trim() === '' ? undefined : Number(id);
    return other !== undefined && this.#waiting.get(other) ? other : undefined;
  }

  /** Whether it is the id of a request, of one that doesn't wait any more, too. Ids go up. */
  wasSent(id: unknown): boolean {
    return (typeof id === 'number' || typeof id === 'string') && Number(id) >= 1 && Number(id) <= this.#highest;
  }

  /**
   * The only request that waits, where an answer without an id can't be for anything else: servers also answer
   * notifications with an error.
   */
  get only(): Id | undefined {
    if (this.#waiting.size !== 1 || this.#lastNotification > 0) return undefined;
    return this.ids[0];
  }

  /** Something without an id was heard: of the notification before, if there was one. */
  heard(): void {
    this.#lastNotification = 0;
  }

  /** Nothing more is expected of it. Returns whether it waited. */
  drop(id: Id): boolean {
    return this.#waiting.take(id) !== undefined;
  }

  /** Takes out a request that is answered; `undefined`: it doesn't wait. */
  take(id: Id): AskedRequest | undefined {
    const asked = this.#waiting.take(id);
    // A server that answers one after the other has dealt with what came before.
    if (asked && asked.order > this.#lastNotification) this.#lastNotification = 0;
    return asked;
  }
}
