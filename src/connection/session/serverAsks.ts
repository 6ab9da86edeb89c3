import type { Clock } from '../../base/clock.ts';
import { isRecord, type JsonObject } from '../../base/json/json.ts';
import { jsonWeight } from '../../base/json/jsonWeight.ts';
import { RateLimit } from '../../base/rateLimit.ts';
import { maskedWithin, type Mask } from '../../base/text/secrets.ts';
import type { AskingServer, ServerRequestPorts } from '../connectionTypes.ts';
import { RefusedRequest } from './requests/requestFailure.ts';
import type { ThrottledLog } from './throttledLog.ts';

export interface ServerAsksOptions {
  readonly server: AskingServer;
  readonly requests: ServerRequestPorts;
  readonly clock: Clock;
  readonly logger: ThrottledLog;
  /** Masks what the server was given. */
  readonly mask: Mask;
  /** The user is asked something, until the returned function is called. */
  onWaiting(): () => void;
}

/** Questions of one server that are open at a time. */
const MAX_OPEN = 8;
/** A heavier form can’t be read; see `jsonWeight`. */
const MAX_FORM_WEIGHT = 256 * 1024;
/** Forms and addresses that one server may show the user, at once and in the long run. */
const SHOWN = { perSecond: 1 / 6, burst: 20 };
/** Members of a question that are used, not read: bytes, the address that is opened, what belongs together. */
const AS_THEY_CAME: ReadonlySet<string> = new Set(['data', 'url', 'elicitationId']);

/** What a server asks the user and models: a few at a time, none too large, with what it was given masked. */
export class ServerAsks {
  readonly #options: ServerAsksOptions;
  readonly #shown: RateLimit;
  #open = 0;

  constructor(options: ServerAsksOptions) {
    this.#options = options;
    this.#shown = new RateLimit(options.clock, SHOWN.perSecond, SHOWN.burst);
  }

  /**
   * Asks the user (`elicitation/create`).
   * @throws RefusedRequest
   */
  elicit(params: unknown, signal: AbortSignal): Promise<JsonObject> {
    const isLong = jsonWeight(params, MAX_FORM_WEIGHT) > MAX_FORM_WEIGHT;
    return this.#ask('elicitation/create', this.#options.requests.elicit, params, signal, () => isLong || !this.#shown.take()); // prettier-ignore
  }

  /**
   * Asks a model (`sampling/createMessage`).
   * @throws RefusedRequest
   */
  sample(params: unknown, signal: AbortSignal): Promise<JsonObject> {
    return this.#ask('sampling/createMessage', this.#options.requests.sample, params, signal, () => false);
  }

  async #ask(
    method: string,
    handler: ServerRequestPorts['sample'],
    params: unknown,
    signal: AbortSignal,
    isTooMuch: () => boolean,
  ): Promise<JsonObject> {
    const { server, logger, mask } = this.#options;
    if (!handler || this.#open >= MAX_OPEN || isTooMuch()) {
      logger.log('warning', `The server asks too much: ${method} was refused.`);
      throw new RefusedRequest(method, new Error('the server asks too much at a time'));
    }
    const done = this.#options.onWaiting();
    this.#open += 1;
    try {
      const asked = (isRecord(params) ? params : {}) as JsonObject;
      return await handler({ server, params: maskedWithin(asked, mask, AS_THEY_CAME), signal });
    } catch (error) {
      throw new RefusedRequest(method, error);
    } finally {
      this.#open -= 1;
      done();
    }
  }
}
