import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import type { Readable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { jsonWeight } from '../../base/jsonWeight.ts';
import { RateLimit } from '../../base/rateLimit.ts';
import { maskedWithin, type Mask } from '../../base/secrets.ts';
import type { OversizedLine } from '../stdio/lineFraming.ts';
import { RPC_CODES } from './rpcCodes.ts';
import { LaterRoundError } from './neverSent.ts';
import { idInFragment, localErrorResponse, type RpcMessage } from './rpcMessages.ts';
import { carryCallResult, cleanToolList, isTooDeep, readableResult, roomForList } from './sanitizeMessages.ts';

/** Why a request got no usable answer. Travels through the SDK as the `data` of an error. */
export class LocalFault {
  readonly kind: 'stream-ended' | 'too-large' | 'malformed' | 'header-mismatch';
  readonly bytes: number;

  constructor(kind: LocalFault['kind'], bytes: number = 0) {
    this.kind = kind;
    this.bytes = bytes;
  }
}

/** What a server sends too much of. */
export type Flood = 'notifications' | 'requests' | 'large notifications';

export interface GuardOptions {
  /** Masks the server's secrets in its log, its progress and what it says of a failure. */
  readonly mask: Mask;
  /** Parts of a tool list that were unusable, one sentence each. */
  onLeftOut(leftOut: readonly string[]): void;
  /** An answer to no pending request: an unknown id, a second answer, or one after the time-out. */
  onUnexpectedAnswer(id: unknown): void;
  /** The server sends too much that nobody asked for; what is over the rate isn't looked at. Called once. */
  onFlood(what: Flood): void;
  readonly clock: Clock;
}

/** Notifications that are texts to read, not data. */
const SPOKEN: ReadonlySet<string> = new Set(['notifications/message', 'notifications/progress']);

/** A heavier one is a burden to read; see `jsonWeight`. */
const MAX_SPOKEN_WEIGHT = 256 * 1024;
/** A large one counts for several. */
const WEIGHT_OF_ONE = 4 * 1024;
/** What a server may send unasked, at once and in the long run. */
const UNASKED = {
  notifications: { perSecond: 500, burst: 2_000 },
  requests: { perSecond: 10, burst: 100 },
} as const;

/**
 * Stands between a transport and the SDK. It sanitizes answers (see `sanitizeMessages.ts`) and fails a request at once
 * whose answer can't come any more: its stream ended, its line was over the limit, or it has neither result nor error.
 */
export class GuardedTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  readonly #inner: Transport;
  readonly #options: GuardOptions;
  /** The method of each pending request, by id. */
  readonly #waiting = new Map<string | number, string>();
  readonly #unasked: Readonly<Record<keyof typeof UNASKED, RateLimit>>;
  readonly #flooded = new Set<Flood>();
  #room = roomForList();
  #progressUnderWay = false;

  constructor(inner: Transport, options: GuardOptions) {
    this.#inner = inner;
    this.#options = options;
    const limit = ({ perSecond, burst }: { perSecond: number; burst: number }): RateLimit =>
      new RateLimit(options.clock, perSecond, burst);
    this.#unasked = { notifications: limit(UNASKED.notifications), requests: limit(UNASKED.requests) };
    inner.onmessage = (message) => this.#receive(message as RpcMessage);
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.onerror?.(error);
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream === true;
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
    if (method === 'notifications/cancelled') this.#forget(params?.['requestId']);
    if (method === undefined || id === undefined || id === null) return this.#inner.send(message, options);
    this.#waiting.set(id, method);
    if (method === 'tools/list' && params?.['cursor'] === undefined) this.#room = roomForList();
    options?.requestSignal?.addEventListener('abort', () => this.#forget(id), { once: true });
    try {
      await this.#inner.send(message, {
        ...options,
        onRequestStreamEnd: () => {
          options?.onRequestStreamEnd?.();
          if (method !== 'subscriptions/listen') this.#fail(id, new LocalFault('stream-ended'));
        },
      });
    } catch (error) {
      this.#forget(id);
      throw isLaterRound(params)
        ? new LaterRoundError('The server was lost between two messages.', { cause: error })
        : error;
    }
  }

  /** A line was over the limit. */
  oversized(line: OversizedLine): void {
    this.tooLarge(line.bytes, idInFragment(line.tail, line.head));
  }

  /** A message was over the limit: fails the request that it answers, or all pending ones where that is unknown. */
  tooLarge(bytes: number, id: string | number | undefined): void {
    const fault = new LocalFault('too-large', bytes);
    if (id !== undefined && this.#waiting.has(id)) this.#fail(id, fault);
    else for (const waiting of [...this.#waiting.keys()]) this.#fail(waiting, fault);
  }

  #receive(message: RpcMessage): void {
    const { id, method } = message;
    if (method !== undefined) {
      const isSpoken = SPOKEN.has(method);
      const weight = isSpoken ? jsonWeight(message, MAX_SPOKEN_WEIGHT) : 0;
      if (!this.#isWelcome(id === undefined ? 'notifications' : 'requests', 1 + weight / WEIGHT_OF_ONE)) return;
      if (method === 'notifications/progress') this.#noteProgress();
      if (isSpoken) return this.#speak(message, weight);
      return this.#deliver(message);
    }
    if (id === undefined || id === null) return this.#options.onUnexpectedAnswer(id);
    // A server that answers "7" to 7 means 7.
    const key = this.#waiting.has(id) ? id : Number(id);
    const asked = this.#waiting.get(key);
    if (asked === undefined) return this.#options.onUnexpectedAnswer(id);
    this.#waiting.delete(key);
    const answer = this.#readable({ ...message, id: key }, asked);
    if (this.#progressUnderWay) queueMicrotask(() => this.#deliver(answer));
    else this.#deliver(answer);
  }

  /** An entry of the server's log, or progress; one that nobody can read is ignored. */
  #speak(message: RpcMessage, weight: number): void {
    if (weight > MAX_SPOKEN_WEIGHT || isTooDeep(message)) return this.#tellFlood('large notifications');
    this.#deliver(maskedWithin(message, this.#options.mask));
  }

  /** Not even a refusal answers what is too much: answers that nobody reads would pile up. */
  #isWelcome(what: keyof typeof UNASKED, cost: number): boolean {
    if (this.#unasked[what].take(Math.min(cost, UNASKED[what].burst))) return true;
    this.#tellFlood(what);
    return false;
  }

  #tellFlood(what: Flood): void {
    if (!this.#flooded.has(what)) this.#options.onFlood(what);
    this.#flooded.add(what);
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

  /** What is nested too deep for recursive code fails like what is no answer at all. */
  #readable(message: RpcMessage, method: string): RpcMessage {
    try {
      return this.#acceptable(message, method);
    } catch {
      return localErrorResponse(message.id ?? 0, new LocalFault('malformed'));
    }
  }

  #acceptable(message: RpcMessage, method: string): RpcMessage {
    const id = message.id ?? 0;
    if (message.error !== undefined) {
      // The SDK would send the call again.
      const isMismatch = isRecord(message.error) && message.error['code'] === RPC_CODES.headerMismatch;
      return isMismatch && method === 'tools/call'
        ? localErrorResponse(id, new LocalFault('header-mismatch'))
        : message;
    }
    const { mask } = this.#options;
    if (message.result === undefined) return localErrorResponse(id, new LocalFault('malformed'));
    if (method === 'tools/call') {
      const failed = isRecord(message.result) && message.result['isError'] === true;
      return { ...message, result: carryCallResult(failed ? maskedWithin(message.result, mask) : message.result) };
    }
    if (!isRecord(message.result)) return localErrorResponse(id, new LocalFault('malformed'));
    if (method !== 'tools/list') return { ...message, result: readableResult(method, message.result) };
    const { result, leftOut } = cleanToolList(message.result, this.#room);
    if (leftOut.length > 0) this.#options.onLeftOut(leftOut);
    return { ...message, result };
  }

  #fail(id: string | number, fault: LocalFault): void {
    if (this.#waiting.delete(id)) this.#deliver(localErrorResponse(id, fault));
  }

  #forget(id: unknown): void {
    if (typeof id === 'string' || typeof id === 'number') this.#waiting.delete(id);
  }

  #deliver(message: RpcMessage): void {
    this.onmessage?.(message as JSONRPCMessage);
  }
}

/** Whether it goes on with a request that the server answered with what it needs first (specification 2026-07-28). */
function isLaterRound(params: RpcMessage['params']): boolean {
  return params?.['inputResponses'] !== undefined || params?.['requestState'] !== undefined;
}

/** The process behind a transport. */
export interface ProcessView {
  readonly pid: number | null;
  readonly stderr: Readable | null;
}

/** A guarded transport of a process: `pid` and `stderr` make the SDK probe for the era in the same process. */
export class GuardedProcessTransport extends GuardedTransport implements ProcessView {
  readonly #process: ProcessView;

  constructor(inner: Transport & ProcessView, options: GuardOptions) {
    super(inner, options);
    this.#process = inner;
  }

  get pid(): number | null {
    return this.#process.pid;
  }

  get stderr(): Readable | null {
    return this.#process.stderr;
  }
}
