import type { Client, Transport } from '@modelcontextprotocol/client';
import { LONGEST_DELAY_MS } from '../../base/clock.ts';
import { InFlight } from '../../base/inFlight.ts';
import { isRecord, type JsonObject } from '../../base/json/json.ts';
import type { CallProgress } from '../connectionTypes.ts';
import type { RpcMessage } from './rpcMessages.ts';

export interface ToolRequest {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly _meta?: Readonly<Record<string, unknown>>;
  /** To be run as a task (specification 2025-11-25: *Tasks*). */
  readonly task?: JsonObject;
}

type Result = { readonly _meta?: unknown };

/** A request that was sent. It has no time-out: who sent it cancels it. */
export interface SentRequest {
  /** As the guarded transport gives it. Rejects with what `classifySdkError` tells apart. */
  readonly result: Promise<Result>;
  /** Tells the server; nothing happens after the answer. */
  cancel(reason: string): void;
}

type OnProgress = (progress: CallProgress) => void;

interface Pending {
  resolve(result: Result): void;
  reject(error: unknown): void;
  readonly onprogress: OnProgress;
}

/** A request that the SDK's client sends. */
export function cancellable(
  send: (options: { readonly signal: AbortSignal; readonly timeout: number }) => Promise<Result>,
): SentRequest {
  const ending = new AbortController();
  return {
    result: send({ signal: ending.signal, timeout: LONGEST_DELAY_MS }),
    cancel: (reason) => ending.abort(reason),
  };
}

/**
 * `tools/call` over a connected client. In the legacy era the requests go past the SDK's client, with ids of its numbers: the guarded
 * transport has cleaned what comes, and the SDK would hold each answer against its schemas four times, and start a timer
 * for each request, which is a third of what a call costs. The modern era needs the client, for headers that repeat
 * arguments and for what a server needs first.
 */
export class ToolRequests {
  readonly #sdk: typeof import('./sdk.ts');
  readonly #client: Client;
  readonly #transport: Transport;
  readonly #era: 'legacy' | 'modern';
  readonly #pending = new InFlight<unknown, Pending>();

  constructor(sdk: typeof import('./sdk.ts'), client: Client, transport: Transport, era: 'legacy' | 'modern') {
    this.#sdk = sdk;
    this.#client = client;
    this.#transport = transport;
    this.#era = era;
    if (era === 'legacy') this.#listenFirst();
  }

  send(params: ToolRequest, onprogress: OnProgress): SentRequest {
    return this.#era === 'modern'
      ? cancellable((options) => this.#client.callTool({ ...params }, { ...options, onprogress }))
      : this.#send(params, onprogress);
  }

  #send(params: ToolRequest, onprogress: OnProgress): SentRequest {
    const id = this.#client['_requestMessageId']++;
    const { promise: result, resolve, reject } = Promise.withResolvers<Result>();
    this.#pending.set(id, { resolve, reject, onprogress });
    const request = { ...params, _meta: { ...params._meta, progressToken: id } };
    this.#post({ jsonrpc: '2.0', id, method: 'tools/call', params: request }).catch((error: unknown) =>
      this.#settled(id)?.reject(error),
    );
    const cancel = (reason: string): void => {
      const pending = this.#settled(id);
      if (!pending) return;
      const cancelled = { requestId: id, reason };
      // A server that is gone need not hear of it.
      this.#post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: cancelled }).catch(() => undefined);
      pending.reject(this.#sdk.cancelled(reason));
    };
    return { result, cancel };
  }

  #post(message: RpcMessage): Promise<void> {
    return this.#transport.send(message as Parameters<Transport['send']>[0], {});
  }

  #settled(id: unknown): Pending | undefined {
    return this.#pending.take(id);
  }

  #listenFirst(): void {
    const transport = this.#transport;
    const clients = { onmessage: transport.onmessage, onclose: transport.onclose };
    transport.onmessage = (message, extra) => {
      if (!this.#take(message as RpcMessage)) clients.onmessage?.(message, extra);
    };
    transport.onclose = () => {
      const pending = this.#pending.keys().map((id) => this.#settled(id));
      clients.onclose?.();
      for (const each of pending) each?.reject(this.#sdk.closed());
    };
  }

  /** Whether it was the answer to one of these requests, or its progress. */
  #take({ id, method, params, result, error }: RpcMessage): boolean {
    if (method === 'notifications/progress' && params !== undefined) {
      const { progressToken, ...progress } = params;
      // Some servers write the number as a text.
      const pending = this.#pending.get(Number(progressToken));
      pending?.onprogress(progress as unknown as CallProgress);
      return pending !== undefined;
    }
    const pending = method === undefined ? this.#settled(id) : undefined;
    if (error === undefined) pending?.resolve(result as Result);
    else pending?.reject(this.#sdk.answered(isRecord(error) ? error : {}));
    return pending !== undefined;
  }
}
