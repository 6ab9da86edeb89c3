import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import type { Readable } from 'node:stream';
import { isRecord } from '../../base/json.ts';
import { maskedWithin, type Mask } from '../../base/secrets.ts';
import type { OversizedLine } from '../stdio/lineFraming.ts';
import { LaterRoundError } from './neverSent.ts';
import { idInFragment, localErrorResponse, type RpcMessage } from './rpcMessages.ts';
import { carryCallResult, cleanToolList, readableResult } from './sanitizeMessages.ts';

/** Why a request got no usable answer. Travels through the SDK as the `data` of an error. */
export class LocalFault {
  readonly kind: 'stream-ended' | 'too-large' | 'malformed';
  readonly bytes: number;

  constructor(kind: LocalFault['kind'], bytes: number = 0) {
    this.kind = kind;
    this.bytes = bytes;
  }
}

export interface GuardOptions {
  /** Masks the server's secrets in its log, its progress and what it says of a failure. */
  readonly mask: Mask;
  /** Parts of a tool list that were unusable, one sentence each. */
  onLeftOut(leftOut: readonly string[]): void;
  /** An answer to no pending request: an unknown id, a second answer, or one after the time-out. */
  onUnexpectedAnswer(id: unknown): void;
}

/** Notifications that are texts to read, not data. */
const SPOKEN: ReadonlySet<string> = new Set(['notifications/message', 'notifications/progress']);

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
  #progressUnderWay = false;

  constructor(inner: Transport, options: GuardOptions) {
    this.#inner = inner;
    this.#options = options;
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

  /** A line was over the limit: fails the request that it answers, or all pending ones where that is unknown. */
  oversized(line: OversizedLine): void {
    const fault = new LocalFault('too-large', line.bytes);
    const id = idInFragment(line.tail, line.head);
    if (id !== undefined && this.#waiting.has(id)) this.#fail(id, fault);
    else for (const waiting of [...this.#waiting.keys()]) this.#fail(waiting, fault);
  }

  #receive(message: RpcMessage): void {
    if (message.method === 'notifications/progress') this.#noteProgress();
    if (SPOKEN.has(message.method ?? '')) return this.#deliver(maskedWithin(message, this.#options.mask));
    if (message.method !== undefined) return this.#deliver(message);
    const { id } = message;
    if (id === undefined || id === null) return this.#options.onUnexpectedAnswer(id);
    // A server that answers "7" to 7 means 7.
    const key = this.#waiting.has(id) ? id : Number(id);
    const method = this.#waiting.get(key);
    if (method === undefined) return this.#options.onUnexpectedAnswer(id);
    this.#waiting.delete(key);
    const answer = this.#acceptable({ ...message, id: key }, method);
    if (this.#progressUnderWay) queueMicrotask(() => this.#deliver(answer));
    else this.#deliver(answer);
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

  #acceptable(message: RpcMessage, method: string): RpcMessage {
    if (message.error !== undefined) return message;
    const id = message.id ?? 0;
    const { mask } = this.#options;
    if (message.result === undefined) return localErrorResponse(id, new LocalFault('malformed'));
    if (method === 'tools/call') {
      const failed = isRecord(message.result) && message.result['isError'] === true;
      return { ...message, result: carryCallResult(failed ? maskedWithin(message.result, mask) : message.result) };
    }
    if (!isRecord(message.result)) return localErrorResponse(id, new LocalFault('malformed'));
    if (method !== 'tools/list') return { ...message, result: readableResult(method, message.result) };
    const { result, leftOut } = cleanToolList(message.result);
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
