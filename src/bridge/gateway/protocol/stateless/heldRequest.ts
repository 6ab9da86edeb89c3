import { randomBytes } from 'node:crypto';
import { Debouncer, deferred, onAbort, type Deferred } from '../../../../base/async.ts';
import type { Clock } from '../../../../base/clock.ts';
import type { Disposable } from '../../../../base/disposable.ts';
import { isRecord, type JsonObject } from '../../../../base/json/json.ts';
import type { CallProgress } from '../../../../connection/connectionTypes.ts';
import { RPC_CODES } from '../../../../connection/protocol/rpcCodes.ts';
import { progressTo, type AskClient, type RequestingClient } from '../forwardedRequest.ts';
import { RpcError } from '../jsonRpc.ts';
import { sampling } from '../passedSampling.ts';
import { canElicit } from '../protocolMethods.ts';
import type { RequestEnvelope } from './requestEnvelope.ts';

/** Questions that come within so many milliseconds of each other are asked in one answer. */
const TOGETHER_MS = 20;

/** One HTTP request of the client's, which the held one is answered on meanwhile. */
export interface Turn {
  /** Sends a notification. */
  readonly send: (message: JsonObject) => void;
  readonly params: JsonObject;
}

interface Asked {
  readonly request: JsonObject;
  readonly answer: Deferred<JsonObject>;
  /** The client was asked: only then it can answer. */
  isShown: boolean;
}

/**
 * A request that goes on while its client is asked (specification 2026-07-28: *Multi Round-Trip Requests*): what is needed is
 * the answer to the client's request, and the client sends it again with `inputResponses`. The server behind, of whichever
 * revision, only sees that its question takes its time.
 */
export class HeldRequest implements Disposable {
  /** What the client must repeat of it. */
  readonly about: string;
  readonly envelope: RequestEnvelope;
  readonly client: RequestingClient;
  /** What the client has to show for it; another one each time that it is asked. */
  state: string | undefined;
  /** Tells the client of progress within the request under way; absent where it wants none. */
  readonly onProgress: ((progress: CallProgress) => void) | undefined;
  readonly #ending = new AbortController();
  readonly #outcome: Promise<JsonObject>;
  readonly #asked = new Map<string, Asked>();
  readonly #together: Debouncer;
  /** Answers that came with the first request, by the server's own keys: whoever asked is forgotten, and asks again. */
  readonly #offered: ReadonlyMap<string, JsonObject>;
  #turn: (Turn & { readonly answer: Deferred<JsonObject> }) | undefined;
  #lacking: JsonObject | undefined;
  #lastKey = 0;

  /**
   * @param work aborts when the client goes away, or stays away
   * @throws RpcError where its answers can't be read
   */
  constructor(
    { about, envelope, params }: { about: string; envelope: RequestEnvelope; params: JsonObject },
    clock: Clock,
    work: (held: HeldRequest, signal: AbortSignal) => Promise<JsonObject>,
  ) {
    this.about = about;
    this.envelope = envelope;
    this.#together = new Debouncer(TOGETHER_MS, clock, () => this.#require());
    this.#offered = answersIn(params);
    const { capabilities, clientName } = envelope;
    const asking = (method: string): AskClient => this.#ask.bind(this, method);
    this.client = {
      name: clientName,
      ...(canElicit(capabilities) ? { elicit: asking('elicitation/create') } : {}),
      ...sampling(capabilities, asking('sampling/createMessage')),
      ...(isRecord(capabilities['roots']) ? { roots: asking('roots/list') } : {}),
      mayStayAway: true,
      lacks: (missing) => (this.#lacking = { ...this.#lacking, ...missing }),
    };
    const isTold = progressTo(params, () => undefined) !== undefined;
    // By the token of the request under way.
    const tell = (progress: CallProgress): void =>
      this.#turn && progressTo(this.#turn.params, this.#turn.send)?.(progress);
    this.onProgress = isTold ? tell : undefined;
    this.#outcome = work(this, this.#ending.signal).then((result) => this.#checked(result));
    // Nobody may be there for it.
    this.#outcome.catch(() => undefined);
  }

  /**
   * Goes on with a request of the client's, the first or a later one with its answers.
   * @returns the result, or what else is needed
   * @throws what the request ends with; RpcError where the answers can't be read
   */
  async during(turn: Turn): Promise<JsonObject> {
    const answers = answersIn(turn.params);
    const answer = deferred<JsonObject>();
    this.#turn = { ...turn, answer };
    this.state = undefined;
    for (const [key, asked] of this.#asked) {
      const given = asked.isShown ? answers.get(key) : undefined;
      if (given) asked.answer.resolve(given);
    }
    if (this.#asked.size > 0) this.#together.trigger();
    try {
      return await Promise.race([answer.promise, this.#outcome]);
    } finally {
      this.#turn = undefined;
    }
  }

  /** Notifies the client within the request under way, where there is one. */
  notify(message: JsonObject): void {
    this.#turn?.send(message);
  }

  async #ask(method: string, params: JsonObject, signal: AbortSignal, key?: string): Promise<JsonObject> {
    const offered = key === undefined ? undefined : this.#offered.get(key);
    if (offered) return offered;
    let own = key;
    while (own === undefined || this.#asked.has(own)) own = `input_${(this.#lastKey += 1)}`;
    const answer = deferred<JsonObject>();
    const abortion = onAbort(signal, () => answer.reject(new Error('The request was cancelled.')));
    this.#asked.set(own, { request: { method, params }, answer, isShown: false });
    this.#together.trigger();
    try {
      return await answer.promise;
    } finally {
      abortion.dispose();
      this.#asked.delete(own);
    }
  }

  /** Answers the turn with what is needed. */
  #require(): void {
    if (!this.#turn || this.#asked.size === 0) return;
    this.state = randomBytes(32).toString('base64url');
    for (const asked of this.#asked.values()) asked.isShown = true;
    const inputRequests = Object.fromEntries([...this.#asked].map(([key, { request }]) => [key, request]));
    this.#turn.answer.resolve({ resultType: 'input_required', inputRequests, requestState: this.state });
  }

  /** What failed because the client declared too little is its error. */
  #checked(result: JsonObject): JsonObject {
    if (!this.#lacking || result['isError'] !== true) return result;
    const names = Object.keys(this.#lacking).join(', ');
    throw new RpcError(RPC_CODES.missingCapability, `The request needs capabilities of the client: ${names}.`, {
      requiredCapabilities: this.#lacking,
    });
  }

  /** Ends it, and whatever it asks. */
  dispose(): void {
    this.#together.dispose();
    this.#ending.abort('the client is gone');
  }
}

/** What stands for answers; anything else is asked for again. */
function answersIn({ inputResponses = {} }: JsonObject): ReadonlyMap<string, JsonObject> {
  if (!isRecord(inputResponses)) throw new RpcError(RPC_CODES.invalidParams, '`inputResponses` must be an object.');
  const answers = Object.entries(inputResponses).filter((entry): entry is [string, JsonObject] => isRecord(entry[1]));
  return new Map(answers);
}
