import { isRecord } from '../../../base/json/json.ts';
import { RecordedAnswers, type NotRecorded } from './recordedAnswers.ts';
import { plain, SUBSCRIPTION, tokenOf, type Exchange, type Follow } from './recordedScript.ts';

type Message = Readonly<Record<string, unknown>>;

/** Codes of JSON-RPC 2.0. */
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
/** So much of the name of a method is said, in UTF-16 units. */
const MAX_METHOD = 200;

export interface ReplayOptions {
  /** Without the pauses of the recorded server. */
  readonly isFast: boolean;
  send(message: object): void;
  /** Something that whoever started it should know; no part of the protocol. */
  say(line: string): void;
  schedule(delayMs: number, run: () => void): void;
}

/** A recorded server that answers a client, as it did then. */
export class ReplayedSession {
  readonly #answers: RecordedAnswers;
  readonly #options: ReplayOptions;
  readonly #cancelled = new Set<unknown>();
  /** Who waits for the answers to the server's own requests, by their ids. */
  readonly #asked = new Map<unknown, () => void>();
  /** How many of those had the id of one that waits, and got another. */
  #renamed = 0;

  constructor(exchanges: readonly Exchange[], options: ReplayOptions) {
    this.#answers = new RecordedAnswers(exchanges);
    this.#options = options;
  }

  /** Takes a message of the client. */
  take(message: Message): void {
    const { id, method, params } = message;
    if (typeof method !== 'string') {
      this.#asked.get(id)?.();
      this.#asked.delete(id);
      return;
    }
    if (method === 'notifications/cancelled' && isRecord(params)) this.#cancelled.add(params['requestId']);
    const found = this.#answers.find(method, params);
    if ('follows' in found) return this.#play(found, id, params, 0, Date.now());
    if (id === undefined) return;
    this.#options.say(missOf(found));
    const error =
      found.differences === undefined
        ? { code: METHOD_NOT_FOUND, message: `The recording has no request “${method}”.` }
        : { code: INVALID_PARAMS, message: `The recording has no request “${method}” with these parameters.` };
    this.#options.send({ jsonrpc: '2.0', id, error });
  }

  /** Sends what followed, one after the other; what comes behind a question waits for its answer. */
  #play(exchange: Exchange, id: unknown, params: unknown, from: number, begun: number): void {
    for (let at = from; at < exchange.follows.length; at += 1) {
      const follow = exchange.follows[at] as Follow;
      const waitMs = this.#options.isFast ? 0 : begun + follow.afterMs - Date.now();
      if (waitMs > 0) return this.#options.schedule(waitMs, () => this.#play(exchange, id, params, at, begun));
      if (this.#cancelled.has(id)) return;
      const message = translated(follow, exchange, id, params);
      if (typeof message['method'] !== 'string' || message['id'] === undefined) {
        this.#options.send(message);
        continue;
      }
      const own = plain(message['id']);
      const asked = this.#asked.has(own) ? `replay-${(this.#renamed += 1)}` : own;
      this.#asked.set(asked, () => this.#play(exchange, id, params, at + 1, Date.now() - follow.afterMs));
      return this.#options.send({ ...message, id: asked });
    }
    const isAnswered = exchange.follows.some(({ message }) => message['method'] === undefined);
    if (id !== undefined && !isAnswered)
      this.#options.say(`“${exchange.method}” had no answer when it was recorded, and gets none now.`);
  }
}

/** What is said of a request that wasn't recorded: no value of its parameters, which may be secret. */
function missOf({ method, differences }: NotRecorded): string {
  const what = `Not recorded: ${JSON.stringify(method.slice(0, MAX_METHOD))}`;
  return differences?.length ? `${what}. The nearest differs in ${differences.join(', ')}.` : `${what}.`;
}

/** A message as the client knows what it is about: with the client's own ids and tokens. */
function translated({ message, isCut }: Follow, recorded: Exchange, id: unknown, given: unknown): Message {
  if (typeof message['method'] !== 'string') {
    const error = { code: INVALID_PARAMS, message: 'The recorded answer was too large to keep.' };
    return isCut ? { jsonrpc: '2.0', id, error } : { ...message, id };
  }
  const { params } = message;
  if (!isRecord(params)) return message;
  const token = plain(params['progressToken']);
  const own = tokenOf(given) ?? token;
  const isOfProgress = token !== undefined && token === tokenOf(recorded.params);
  const meta = params['_meta'];
  const isOfSubscription = isRecord(meta) && plain(meta[SUBSCRIPTION]) === recorded.id && recorded.id !== undefined;
  return {
    ...message,
    params: {
      ...params,
      ...(isOfProgress ? { progressToken: own } : {}),
      ...(isOfSubscription ? { _meta: { ...meta, [SUBSCRIPTION]: id } } : {}),
    },
  };
}
