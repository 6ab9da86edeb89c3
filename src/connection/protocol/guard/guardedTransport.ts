import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import type { Clock } from '../../../base/clock.ts';
import { isRecord } from '../../../base/json/json.ts';
import { jsonWeight } from '../../../base/json/jsonWeight.ts';
import { atOnce } from '../../../base/timeSlices.ts';
import type { Mask } from '../../../base/text/secrets.ts';
import { maskedWithin } from '../../../base/text/maskedWithin.ts';
import type { Inbox, InboxMessage } from '../../reading/inbox.ts';
import { READING, type RawMessage } from '../../reading/readMessages.ts';
import type { OversizedText } from '../../reading/collectedText.ts';
import { cleanLogEntry, cleanProgress } from '../../cleaning/cleanNotification.ts';
import { cleanQuestion } from '../../cleaning/cleanQuestion.ts';
import { AnswerReader } from './answerReader.ts';
import { type Answer, envelopeOf, type Envelope } from './envelope.ts';
import { RPC_CODES } from '../rpcCodes.ts';
import { LaterRoundError } from '../neverSent.ts';
import { OddValues } from './idsAndCursors.ts';
import { idInFragment, localErrorResponse, type RpcMessage } from '../rpcMessages.ts';
import { isTooDeep } from '../../cleaning/cleanTools.ts';
import type { TextTransport } from '../textTransport.ts';
import type { LinkTap } from '../../recording/recorder.ts';
import type { Tolerate } from './tolerances.ts';
import { LocalFault } from '../localFault.ts';
import { UnaskedLimits, type Flood } from './unaskedLimits.ts';
import { WaitingRequests } from './waitingRequests.ts';

export interface GuardOptions {
  /** Masks the server's secrets in its log, its progress and what it says of a failure. */
  readonly mask: Mask;
  /** Parts of a tool list that were unusable, one sentence each. */
  onLeftOut(leftOut: readonly string[], method: string): void;
  /** What deviates from the protocol and costs nothing. */
  readonly tolerate: Tolerate;
  /** Where messages lie that came over HTTP. */
  readonly inbox?: Inbox;
  /** An answer to no pending request: an unknown id, a second answer, or one after the time-out. */
  onUnexpectedAnswer(id: unknown): void;
  /** The server sends too much that nobody asked for; what is over the rate isn't looked at. Called once. */
  onFlood(what: Flood): void;
  /** Told of each message as it is sent, and as it came. */
  readonly tap?: Pick<LinkTap, 'message' | 'placed' | 'unanswered'> | undefined;
  readonly clock: Clock;
}

/** Notifications that are texts to read, not data. */
const SPOKEN: ReadonlySet<string> = new Set(['notifications/message', 'notifications/progress']);

/** A heavier one is a burden to read; see `jsonWeight`. */
const MAX_SPOKEN_WEIGHT = 64 * 1024;
/** A large one counts for several. */
const WEIGHT_OF_ONE = 4 * 1024;

/**
 * Stands between a transport and the SDK. What a server sends is taken for what it means (`envelope.ts`), brought into the
 * protocol's form (`answerReader.ts`) and handed on as a new message. A request fails at once whose answer can't come any
 * more or can't be read.
 */
export class GuardedTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  readonly #inner: TextTransport;
  readonly #options: GuardOptions;
  readonly #waiting = new WaitingRequests();
  readonly #oddIds = new OddValues('mcp-switchboard/id/');
  readonly #oddCursors = new OddValues('mcp-switchboard/cursor/');
  readonly #unasked: UnaskedLimits;
  readonly #reader: AnswerReader;
  #progressUnderWay = false;
  /** Why requests are cancelled, at this moment. */
  #cancelledFor: 'cancelled' | 'timeout' = 'cancelled';

  constructor(inner: TextTransport, options: GuardOptions) {
    this.#inner = inner;
    this.#options = options;
    this.#unasked = new UnaskedLimits(options.clock, (what) => options.onFlood(what));
    this.#reader = new AnswerReader(options, this.#oddCursors, (answer) => this.#deliver(answer));
    inner.onmessage = (message, extra) => this.#take(message, extra?.text);
    // What came before the end is delivered before it.
    inner.onclose = () =>
      this.#reader.whenRead(() => {
        for (const id of this.#waiting.ids) this.#unanswered(id, 'closed');
        this.onclose?.();
      });
    inner.onerror = (error) => this.onerror?.(error);
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream === true;
  }

  /** Whether a request has no answer yet. */
  get isWaiting(): boolean {
    return this.#waiting.ids.length > 0;
  }

  /** Whether this request has none. */
  waitsFor(id: string | number): boolean {
    return this.#waiting.find(id) !== undefined;
  }

  /** @param end cancels requests at once, because their time is over: neither a notification nor a signal says that of itself */
  timeOut(end: () => void): void {
    this.#cancelledFor = 'timeout';
    try {
      end();
    } finally {
      this.#cancelledFor = 'cancelled';
    }
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#inner.setSupportedProtocolVersions?.(versions);
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const { id, method, params } = message as RpcMessage;
    if (method === 'notifications/cancelled') this.#forget(params?.['requestId'], this.#cancelledFor);
    if (method === undefined) return this.#pass(this.#withOwnId(message), options);
    if (id === undefined || id === null) {
      this.#waiting.notified();
      return this.#pass(message, options);
    }
    this.#waiting.add(id, method, params);
    if (method === 'tools/list' && params?.['cursor'] === undefined) this.#reader.listBegins();
    options?.requestSignal?.addEventListener('abort', () => this.#forget(id, this.#cancelledFor), { once: true });
    const own = this.#withOwnCursor(message, params);
    try {
      await this.#pass(this.#options.tap?.placed(own) ?? own, {
        ...options,
        onRequestStreamEnd: () => {
          options?.onRequestStreamEnd?.();
          if (method !== 'subscriptions/listen') this.#fail(id, new LocalFault('stream-ended'));
        },
      });
    } catch (error) {
      this.#forget(id, error);
      throw isLaterRound(params)
        ? new LaterRoundError('The server was lost between two messages.', { cause: error })
        : error;
    }
  }

  #pass(message: JSONRPCMessage, options: TransportSendOptions | undefined): Promise<void> {
    const { tap } = this.#options;
    if (!this.#inner.sendText) {
      tap?.message('sent', message);
      return this.#inner.send(message, options);
    }
    const text = JSON.stringify(message);
    tap?.message('sent', message, undefined, text);
    return this.#inner.sendText(text);
  }

  /** The answer to a request of the server, with the id as the server sent it. */
  #withOwnId(message: JSONRPCMessage): JSONRPCMessage {
    const { id } = message as RpcMessage;
    if (!this.#oddIds.has(id)) return message;
    return { ...message, id: this.#oddIds.valueOf(id) } as unknown as JSONRPCMessage;
  }

  #withOwnCursor(message: JSONRPCMessage, params: RpcMessage['params']): JSONRPCMessage {
    const cursor = params?.['cursor'];
    if (!this.#oddCursors.has(cursor)) return message;
    return { ...message, params: { ...params, cursor: this.#oddCursors.valueOf(cursor) } };
  }

  /** A line was over the limit. */
  oversized(line: OversizedText): void {
    this.tooLarge(line.bytes, idInFragment(line.tail, line.head));
  }

  /** A message was over the limit: fails the request that it answers, or all pending ones where that is unknown. */
  tooLarge(bytes: number, id: string | number | undefined): void {
    const fault = new LocalFault('too-large', { bytes });
    const known = this.#waiting.find(id);
    if (known !== undefined) this.#fail(known, fault);
    else for (const waiting of this.#waiting.ids) this.#fail(waiting, fault);
  }

  /** The server doesn't say which era it speaks: answers in its place as a server of the legacy era does. */
  giveUpProbe(): void {
    const error = { code: RPC_CODES.methodNotFound, message: 'No answer.' };
    for (const id of this.#waiting.idsOf('server/discover'))
      if (this.#waiting.drop(id)) this.#deliver({ jsonrpc: '2.0', id, error });
  }

  /** An answer can't be read: fails the request that it is for, where that is known. Returns whether it was. */
  unreadable(id: string | number | undefined, reason: string): boolean {
    const known = this.#waiting.find(id);
    if (known !== undefined) this.#fail(known, new LocalFault('malformed', { reason }));
    return known !== undefined;
  }

  #take(raw: RawMessage, text: string | undefined): void {
    const entry = this.#options.inbox?.take(raw);
    const message = entry?.message ?? raw;
    const came = entry?.came ?? message;
    if (!isMadeHere(came)) this.#options.tap?.message('received', came, entry?.http, entry ? entry.text : text);
    for (const kind of message[READING]?.tolerated ?? []) this.#options.tolerate(kind);
    const envelope = envelopeOf(message, this.#options.tolerate);
    if (envelope?.kind === 'answer') this.#answer(envelope, message, entry);
    else if (envelope) this.#ask(envelope, message);
    else this.#options.onUnexpectedAnswer(message['id']);
  }

  /** A request or a notification of the server. */
  #ask(envelope: Exclude<Envelope, { kind: 'answer' }>, raw: RawMessage): void {
    const { kind, method, params } = envelope;
    const isSpoken = SPOKEN.has(method);
    const weight = isSpoken ? jsonWeight(raw, MAX_SPOKEN_WEIGHT) : 0;
    if (!this.#unasked.isWelcome(kind === 'request' ? 'requests' : 'notifications', 1 + weight / WEIGHT_OF_ONE)) return;
    const message: RpcMessage = { jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) };
    if (method === 'notifications/progress') this.#noteProgress();
    if (isSpoken) return this.#speak(message, weight);
    if (kind === 'notification') return this.#deliver(message);
    const clean = cleanQuestion(method, params);
    this.#deliver({ ...message, ...(clean ? { params: clean } : {}), id: this.#idOf(envelope.id, raw) });
  }

  /** The id of a request of the server, as the SDK takes it. */
  #idOf(id: unknown, raw: RawMessage): string | number {
    if (typeof id === 'string' || Number.isSafeInteger(id)) return id as string | number;
    this.#options.tolerate('id of another type');
    const read = raw[READING]?.exact;
    const exact = read && atOnce(read());
    return this.#oddIds.nameOf(isRecord(exact) ? exact['id'] : id);
  }

  #answer(envelope: Answer, raw: RawMessage, entry: InboxMessage | undefined): void {
    const key = this.#keyOf(envelope, entry);
    const asked = key === undefined ? undefined : this.#waiting.take(key);
    if (key === undefined || asked === undefined) return this.#options.onUnexpectedAnswer(envelope.id);
    if (key !== envelope.id) this.#options.tolerate('id of another type');
    const answer = this.#reader.read(key, envelope, raw, asked);
    if (!answer) return;
    if (this.#progressUnderWay) queueMicrotask(() => this.#deliver(answer));
    else this.#deliver(answer);
  }

  /** The id of the request that an answer is for. */
  #keyOf({ id, error }: Answer, entry: InboxMessage | undefined): string | number | undefined {
    const known = this.#waiting.find(id);
    if (known !== undefined) return known;
    // A late answer to an earlier request may come with another's.
    if (this.#waiting.wasSent(id)) return undefined;
    const ofHttp = this.#waiting.find(entry?.requestId?.());
    if (ofHttp !== undefined) return ofHttp;
    if (error === undefined || (id !== undefined && id !== null)) return undefined;
    const { only } = this.#waiting;
    if (only === undefined) this.#waiting.heard();
    else this.#options.tolerate('no id');
    return only;
  }

  /** An entry of the server's log, or progress; one that nobody can read is ignored. */
  #speak(message: RpcMessage, weight: number): void {
    if (weight > MAX_SPOKEN_WEIGHT || isTooDeep(message)) return this.#unasked.tell('large notifications');
    const { tolerate } = this.#options;
    const clean = message.method === 'notifications/progress' ? cleanProgress : cleanLogEntry;
    this.#deliver(maskedWithin({ ...message, params: clean(message.params ?? {}, tolerate) }, this.#options.mask));
  }

  /**
   * The SDK handles a notification one microtask late but an answer at once, so the last progress would be lost where
   * both come in one chunk: the answer then waits as long.
   */
  #noteProgress(): void {
    if (this.#progressUnderWay) return;
    this.#progressUnderWay = true;
    setImmediate(() => (this.#progressUnderWay = false));
  }

  #fail(id: string | number, fault: LocalFault): void {
    this.#unanswered(id, fault);
    if (this.#waiting.drop(id)) this.#deliver(localErrorResponse(id, fault));
  }

  #forget(id: unknown, why: unknown): void {
    if (typeof id !== 'string' && typeof id !== 'number') return;
    this.#unanswered(id, why);
    this.#waiting.drop(id);
  }

  /** Told before it is dropped. @param why the error, or a word */
  #unanswered(id: string | number, why: unknown): void {
    const method = this.#waiting.methodOf(id);
    if (method !== undefined) this.#options.tap?.unanswered({ id, method }, why);
  }

  #deliver(message: RpcMessage): void {
    this.onmessage?.(message as JSONRPCMessage);
  }
}

/** Whether it goes on with a request that the server answered with what it needs first (specification 2026-07-28). */
function isLaterRound(params: RpcMessage['params']): boolean {
  return params?.['inputResponses'] !== undefined || params?.['requestState'] !== undefined;
}

/** Whether a message stands for an answer that can't be read, and is no message of the server. */
function isMadeHere({ error }: RawMessage): boolean {
  return isRecord(error) && error['data'] instanceof LocalFault;
}
