import type { ServerLogLevel } from '../../../base/log.ts';
import { randomUUID } from 'node:crypto';
import { deferred, onAbort, type Deferred } from '../../../base/async.ts';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import { isRecord, type JsonObject } from '../../../base/json/json.ts';
import type { EventStream } from './eventStream.ts';
import type { RequestingClient } from './forwardedRequest.ts';
import type { Incoming, RequestId } from './jsonRpc.ts';
import { sampling } from './passedSampling.ts';
import { canElicit, clientNameOf, isWanted } from './protocolMethods.ts';

/** How many changes are kept for a client that doesn't listen yet. */
const MAX_MISSED = 100;

/** One client's session with one endpoint: what it can do, what runs, and what it was asked. */
export class ClientSession implements Disposable {
  readonly id = randomUUID();
  readonly #capabilities: JsonObject;
  readonly #asked = new Map<RequestId, Deferred<JsonObject>>();
  readonly #running = new Map<RequestId, AbortController>();
  /** Of requests under way that are answered as streams. */
  readonly #streams = new Set<EventStream>();
  readonly #subscriptions = new Map<string, Disposable>();
  readonly #missed = new Map<string, JsonObject>();
  readonly #disposables = new DisposableStore();
  /** What the client is called, as it says. */
  readonly clientName: string;
  /** How much of the server's log it wants; all where it didn't say. */
  logLevel: ServerLogLevel | undefined;
  #stream: EventStream | undefined;
  #lastId = 0;

  /** Whether its lists have schemas as the servers have them. */
  readonly hasOriginals: boolean;

  /** @param params of `initialize` */
  constructor(params: JsonObject, hasOriginals: boolean) {
    this.hasOriginals = hasOriginals;
    const { capabilities, clientInfo } = params;
    this.#capabilities = isRecord(capabilities) ? capabilities : {};
    this.clientName = clientNameOf(clientInfo);
  }

  /** What the client can be asked, within the request that is answered on `stream`. */
  clientOn(stream: EventStream): RequestingClient {
    const asking = (method: string) => (params: JsonObject, signal: AbortSignal) =>
      this.#ask(stream, method, params, signal);
    return {
      name: this.clientName,
      ...(canElicit(this.#capabilities) ? { elicit: asking('elicitation/create') } : {}),
      ...sampling(this.#capabilities, asking('sampling/createMessage')),
    };
  }

  /** Whether the client is there for sure: it listens, or waits for an answer. One that is neither may be gone. */
  get isAttended(): boolean {
    return this.#stream !== undefined || this.#streams.size > 0;
  }

  /** Takes the client's own stream for what belongs to no request; the one before is ended. */
  listen(stream: EventStream): void {
    this.#stream?.dispose();
    this.#stream = stream;
    stream.onClose(() => {
      if (this.#stream === stream) this.#stream = undefined;
    });
    for (const message of this.#missed.values()) stream.send(message);
    this.#missed.clear();
  }

  /** Tells the client of a change; one that doesn't listen yet, as soon as it does. */
  notify(method: string, params?: JsonObject): void {
    const message: JsonObject = { jsonrpc: '2.0', method, ...(params ? { params } : {}) };
    if (this.#stream?.isOpen) this.#stream.send(message);
    else if (this.#missed.size < MAX_MISSED) this.#missed.set(JSON.stringify(message), message);
  }

  /** Gives the client an entry of the server's log, within the request under way where there is only one. */
  log(params: JsonObject): void {
    if (!isWanted(params['level'], this.logLevel)) return;
    const [only] = this.#streams;
    const stream = this.#streams.size === 1 ? only : this.#stream;
    stream?.send({ jsonrpc: '2.0', method: 'notifications/message', params });
  }

  isSubscribed(uri: unknown): boolean {
    return typeof uri === 'string' && this.#subscriptions.has(uri);
  }

  /** Keeps a subscription of the client's as long as the session, or until it is given up. */
  keepSubscription(uri: string, subscription: Disposable): void {
    this.dropSubscription(uri);
    this.#subscriptions.set(uri, this.#disposables.add(subscription));
  }

  dropSubscription(uri: string): void {
    this.#subscriptions.get(uri)?.dispose();
    this.#subscriptions.delete(uri);
  }

  /**
   * Asks the client on the stream of a request of its own.
   * @returns its result; rejects where it refuses, where `signal` aborts or the session ends
   */
  async #ask(stream: EventStream, method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const id = `switchboard-${(this.#lastId += 1)}`;
    const answer = deferred<JsonObject>();
    this.#asked.set(id, answer);
    const abortion = onAbort(signal, () => {
      stream.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
      answer.reject(new Error('The request was cancelled.'));
    });
    try {
      if (!signal.aborted) stream.send({ jsonrpc: '2.0', id, method, params });
      return await answer.promise;
    } finally {
      abortion.dispose();
      this.#asked.delete(id);
    }
  }

  /** Takes the client's answer to a question; one that nobody waits for is nothing. */
  settle(response: Extract<Incoming, { kind: 'response' }>): void {
    const answer = this.#asked.get(response.id);
    if (response.result) answer?.resolve(response.result);
    else answer?.reject(new Error(response.error ?? 'no result'));
  }

  /** Runs a request of the client's that is answered on `stream`, and that it can cancel, also by going away. */
  async run<T>(id: RequestId, stream: EventStream, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const ending = new AbortController();
    this.#running.set(id, ending);
    this.#streams.add(stream);
    stream.onClose(() => {
      this.#streams.delete(stream);
      if (this.#running.get(id) === ending) ending.abort('the client disconnected');
    });
    try {
      return await work(ending.signal);
    } finally {
      this.#running.delete(id);
    }
  }

  isRunning(id: RequestId): boolean {
    return this.#running.has(id);
  }

  cancel(id: unknown): void {
    if (typeof id === 'string' || typeof id === 'number') this.#running.get(id)?.abort('cancelled by the client');
  }

  dispose(): void {
    for (const ending of this.#running.values()) ending.abort('the session ended');
    for (const answer of this.#asked.values()) answer.reject(new Error('The session ended.'));
    this.#disposables.dispose();
    this.#stream?.dispose();
  }
}
