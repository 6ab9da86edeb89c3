import { jsonWeight } from '../../../base/json/jsonWeight.ts';
import { maskedWithin } from '../../../base/text/maskedWithin.ts';
import type { Mask } from '../../../base/text/secrets.ts';
import { atOnce, inSlices, type Steps } from '../../../base/timeSlices.ts';
import { cleanAnswer, TOOL_RESULTS, type AskedRequest } from '../../cleaning/cleanAnswer.ts';
import { roomForList } from '../../cleaning/cleanTools.ts';
import { isChangedByDouble } from '../../../base/json/exactJson.ts';
import { exactResult, READING, type RawMessage } from '../../reading/readMessages.ts';
import { LocalFault } from '../localFault.ts';
import { RPC_CODES } from '../rpcCodes.ts';
import { localErrorResponse, type RpcMessage } from '../rpcMessages.ts';
import type { Answer } from './envelope.ts';
import type { GuardOptions } from './guardedTransport.ts';
import type { OddValues } from './idsAndCursors.ts';

/** What a larger answer takes is done in slices. */
const MAX_AT_ONCE_WEIGHT = 64 * 1024;
/** What is kept of an error; see `jsonWeight`. */
const MAX_ERROR_WEIGHT = 64 * 1024;
/** What an error may ask to open is opened as it is. */
const ADDRESS: ReadonlySet<string> = new Set(['url', 'elicitationId']);

/** Brings answers of a server into the protocol's form; large ones in slices, so that other work can run meanwhile. */
export class AnswerReader {
  readonly #options: GuardOptions;
  readonly #oddCursors: OddValues;
  readonly #deliver: (answer: RpcMessage) => void;
  /** Of the list of tools that is read now, over its pages. */
  #room = roomForList();
  /** Answers that are not ready yet. */
  readonly #underWay = new Set<Promise<void>>();

  /** @param deliver gets the answers that are read in slices */
  constructor(options: GuardOptions, oddCursors: OddValues, deliver: (answer: RpcMessage) => void) {
    this.#options = options;
    this.#oddCursors = oddCursors;
    this.#deliver = deliver;
  }

  /** The first page of a list of tools is requested. */
  listBegins(): void {
    this.#room = roomForList();
  }

  /**
   * The answer as the SDK takes it; `undefined`: it is delivered later.
   * @param id of the request, as it was sent
   */
  read(id: string | number, answer: Answer, raw: RawMessage, asked: AskedRequest): RpcMessage | undefined {
    const work = this.#steps(id, answer, raw, asked);
    const isLarge = jsonWeight(answer.result, MAX_AT_ONCE_WEIGHT) > MAX_AT_ONCE_WEIGHT;
    if (!isLarge) return atOnce(work);
    const reading = inSlices(work).then((read) => {
      this.#underWay.delete(reading);
      this.#deliver(read);
    });
    this.#underWay.add(reading);
    return undefined;
  }

  /** Runs an action when what came before is delivered. */
  whenRead(then: () => void): void {
    if (this.#underWay.size === 0) then();
    else void Promise.all(this.#underWay).then(then);
  }

  /** What is nested too deep for recursive code fails like what is no answer at all. */
  *#steps(id: string | number, answer: Answer, raw: RawMessage, asked: AskedRequest): Steps<RpcMessage> {
    const { error } = answer;
    if (error !== undefined) {
      // Of an answer that came over HTTP and can't be read.
      if (error.data instanceof LocalFault) return localErrorResponse(id, error.data);
      // The SDK would send the call again.
      const isMismatch = error.code === RPC_CODES.headerMismatch && asked.method === 'tools/call';
      if (isMismatch) return localErrorResponse(id, new LocalFault('header-mismatch'));
      return { jsonrpc: '2.0', id, error: readableError(error, this.#options.mask) };
    }
    if (!('result' in raw)) return localErrorResponse(id, new LocalFault('malformed'));
    try {
      const given = yield* this.#givenBy(asked, answer, raw);
      const cut = raw[READING]?.cut ?? 0;
      const options = { ...this.#options, room: this.#room, cut };
      const { result, leftOut } = yield* cleanAnswer(asked, given, options);
      if (leftOut.length > 0) this.#options.onLeftOut(leftOut, asked.method);
      return { jsonrpc: '2.0', id, result: this.#withCursor(result) };
    } catch {
      return localErrorResponse(id, new LocalFault('malformed', { reason: 'it is nested too deep' }));
    }
  }

  /** What is a person's or a model's to read has its numbers as they are written; of schemas, those that it says. */
  *#givenBy({ method }: AskedRequest, answer: Answer, raw: RawMessage): Steps<unknown> {
    if (TOOL_RESULTS.has(method) || method === 'tasks/get' || method === 'prompts/get') return yield* exactResult(raw);
    return method === 'tools/list' ? yield* exactResult(raw, isChangedByDouble) : answer.result;
  }

  /** A cursor that is no text goes back as it came. */
  #withCursor(result: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const { nextCursor } = result;
    if (nextCursor === undefined || typeof nextCursor === 'string') return result;
    this.#options.tolerate('cursor of another type');
    return { ...result, nextCursor: this.#oddCursors.nameOf(nextCursor) };
  }
}

/** A server's error, masked and with an end: its data goes to clients of the gateway as it is. */
function readableError<T extends { readonly message: string; readonly data?: unknown }>(error: T, mask: Mask): T {
  const { data, ...rest } = error;
  const isLong = data !== undefined && jsonWeight(data, MAX_ERROR_WEIGHT) > MAX_ERROR_WEIGHT;
  const kept = {
    ...rest,
    message: error.message.slice(0, MAX_ERROR_WEIGHT),
    ...(data === undefined || isLong ? {} : { data }),
  };
  return maskedWithin(kept, mask, ADDRESS) as T;
}
