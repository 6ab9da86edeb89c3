import type { Clock } from '../../base/clock.ts';
import { isRecord, type JsonObject } from '../../base/json/json.ts';
import { jsonWeight, VALUE_WEIGHT } from '../../base/json/jsonWeight.ts';
import { RateLimit } from '../../base/rateLimit.ts';
import type { Mask } from '../../base/text/secrets.ts';
import { maskedWithinSteps } from '../../base/text/maskedWithin.ts';
import { inSlices } from '../../base/timeSlices.ts';
import type { AskingServer, ServerQuestion, ServerRequestPorts } from '../serverQuestionTypes.ts';
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

/** What goes with a question. */
type Asked = Pick<ServerQuestion, 'signal' | 'key'>;

/** Questions of one server that are open at a time. */
const MAX_OPEN = 8;
/** A heavier form can’t be read; see `jsonWeight`. */
const MAX_FORM_WEIGHT = 64 * 1024;
/** The same of one text in it, in characters: it is drawn, which takes longer than to read it. */
const MAX_FORM_TEXT = 16 * 1024;
/** What a model is asked is heavier, with its images; but no text of it is longer, in characters: masking it takes long. */
const MAX_ASKED_TEXT = 256 * 1024;
/** And so much there is of it, without images. */
const MAX_ASKED_WEIGHT = 4 * 1024 * 1024;
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

  /** Whether a question is open. */
  get isOpen(): boolean {
    return this.#open > 0;
  }

  /**
   * Asks the user (`elicitation/create`).
   * @throws RefusedRequest
   */
  elicit(params: unknown, asked: Asked): Promise<JsonObject> {
    const isLong = jsonWeight(params, MAX_FORM_WEIGHT) > MAX_FORM_WEIGHT || isTooLong(params, MAX_FORM_TEXT);
    return this.#ask('elicitation/create', this.#options.requests.elicit, params, asked, () => isLong || !this.#shown.take()); // prettier-ignore
  }

  /**
   * Asks a model (`sampling/createMessage`).
   * @throws RefusedRequest
   */
  sample(params: unknown, asked: Asked): Promise<JsonObject> {
    return this.#ask('sampling/createMessage', this.#options.requests.sample, params, asked, () =>
      isTooLong(params, MAX_ASKED_TEXT),
    );
  }

  async #ask(
    method: string,
    handler: ServerRequestPorts['sample'],
    params: unknown,
    { signal, key }: Asked,
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
      const shown = await inSlices(maskedWithinSteps(asked, mask, AS_THEY_CAME));
      return await handler({ server, params: shown, signal, ...(key === undefined ? {} : { key }) });
    } catch (error) {
      throw new RefusedRequest(method, error);
    } finally {
      this.#open -= 1;
      done();
    }
  }
}

/** Whether a request for a model's answer has a text that is too long to go through, or too many. */
function isTooLong(params: unknown, maxText: number): boolean {
  const waiting = [params];
  let weight = 0;
  while (waiting.length > 0 && weight <= MAX_ASKED_WEIGHT) {
    const next = waiting.pop();
    const length = typeof next === 'string' ? next.length : 0;
    if (length > maxText) return true;
    weight += VALUE_WEIGHT + length;
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, member] of Object.entries(next))
      if (typeof member !== 'string' || !AS_THEY_CAME.has(key)) waiting.push(member);
  }
  return weight > MAX_ASKED_WEIGHT;
}
