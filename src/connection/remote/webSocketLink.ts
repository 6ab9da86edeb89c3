import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { hasTooManyParts } from '../../base/json/jsonMeter.ts';
import { deferred, type Deferred } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { SwitchboardError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { ConnectError, toFailure } from '../connectionFailure.ts';
import type { ConnectionFailure } from '../connectionTypes.ts';
import type { Link } from '../serverLink.ts';
import type { StopGrace } from '../connectionTimings.ts';
import { GuardedTransport, type GuardOptions } from '../protocol/guard/guardedTransport.ts';
import { idInFragment } from '../protocol/rpcMessages.ts';
import { inSlices } from '../../base/timeSlices.ts';
import { readMessages, readMessageSteps, type ReadText } from '../reading/readMessages.ts';
import type { SdkFault } from '../protocol/sdk.ts';
import { MAX_LINE_BYTES } from '../stdio/lineFraming.ts';
import { needsAuth } from './answers/httpRefusals.ts';
import { explainNetwork } from './networkFault.ts';
import { wantsSignIn } from './answers/httpStatus.ts';

export interface WebSocketLinkOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly webSocket: WebSocketConstructor;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly guardOptions: GuardOptions;
}

/** Time-out of the closing handshake. */
const CLOSE_MS = 1000;
/** Time-out of the request that finds out why a WebSocket was refused. */
const WHY_MS = 3000;

/** A server over a WebSocket. */
export class WebSocketLink implements Link {
  readonly kind = 'ws';
  readonly pid = undefined;
  readonly transport: GuardedTransport;
  readonly #options: WebSocketLinkOptions;
  readonly #socket: WebSocketTransport;
  readonly #host: string;
  readonly #onLost = new Emitter<ConnectionFailure>();
  readonly onLost: Event<ConnectionFailure> = this.#onLost.event;
  readonly #closed: Deferred<void> = deferred();
  #opened = false;
  #stopped: Promise<void> | undefined;
  #lost: ConnectionFailure | undefined;

  constructor(options: WebSocketLinkOptions) {
    this.#options = options;
    this.#host = new URL(options.url).host;
    this.#socket = new WebSocketTransport(options.webSocket, options.url, options.headers);
    this.transport = new GuardedTransport(this.#socket, options.guardOptions);
    this.transport.onclose = () => this.#onClose();
    this.#socket.onoversized = (bytes, id) => this.transport.tooLarge(bytes, id);
    this.#socket.onunreadable = (id, reason) => void this.transport.unreadable(id, reason);
  }

  get lost(): ConnectionFailure | undefined {
    return this.#lost;
  }

  stderrTail(): readonly string[] {
    return [];
  }

  /** A WebSocket doesn't tell why it was refused; a plain request with the same headers does. */
  async explainHandshake(_fault: SdkFault, error: unknown): Promise<ConnectError> {
    if (this.#opened) {
      return new ConnectError('handshake-failed', `The answer of ${this.#host} isn't MCP.`, { cause: error });
    }
    const status = await this.#askWhy();
    if (typeof status !== 'number') return explainNetwork(new URL(this.#options.url), status.failure, error);
    if (wantsSignIn(status)) return needsAuth(this.#host, status, error);
    return new ConnectError('http-status', `${this.#host} refuses a WebSocket (HTTP ${status} to a plain request).`, {
      remedy: 'Check the URL and the type of the server.',
      cause: error,
      status,
    });
  }

  stop(_grace: StopGrace): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  dispose(): void {
    this.#onLost.dispose();
  }

  /** Called after the handshake. */
  opened(): void {
    this.#opened = true;
  }

  async #stop(): Promise<void> {
    await this.transport.close();
    if (this.#socket.closeCode !== undefined || !this.#opened) return;
    const timer = this.#options.clock.schedule(CLOSE_MS, () => this.#closed.resolve());
    await this.#closed.promise;
    timer.dispose();
  }

  #onClose(): void {
    this.#closed.resolve();
    if (this.#stopped || this.#lost) return;
    const code = this.#socket.closeCode ?? 0;
    this.#lost = toFailure(new ConnectError('connection-lost', `${this.#host} closed the WebSocket (${code}).`));
    this.#onLost.fire(this.#lost);
  }

  async #askWhy(): Promise<number | { readonly failure: unknown }> {
    const { fetch, url, headers } = this.#options;
    try {
      const response = await fetch(url.replace(/^ws/, 'http'), {
        headers: { ...headers },
        redirect: 'manual',
        signal: AbortSignal.timeout(WHY_MS),
      });
      await response.body?.cancel();
      return response.status;
    } catch (failure) {
      return { failure };
    }
  }
}

/** Where the id of a frame that isn't read is looked for, in characters from both ends. */
const ENDS_CHARS = 1024;
/** A longer frame is read in slices, in characters. */
const MAX_AT_ONCE = 256 * 1024;
/** Subprotocol that MCP servers over WebSocket expect. */
const SUBPROTOCOL = 'mcp';
/** Close code for an orderly end (RFC 6455, section 7.4.1). */
const NORMAL_CLOSURE = 1000;

/** The constructor as Node has it: its second argument may carry headers, which a browser's can't. */
export type WebSocketConstructor = new (
  url: string,
  options: { protocols: string[]; headers: Record<string, string> },
) => WebSocket;

/** Speaks JSON-RPC over a WebSocket, one message per text frame. The SDK has no such transport. */
class WebSocketTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** A frame is over the limit of a line on stdio. `id`: of the request that it answers, if it can be found. */
  onoversized?: (bytes: number, id: string | number | undefined) => void;
  /** A frame can't be read. */
  onunreadable?: (id: string | number | undefined, reason: string) => void;

  readonly #open: () => WebSocket;
  #socket: WebSocket | undefined;
  /** Under way while a long frame is read; what comes behind it waits. */
  #reading: Promise<void> | undefined;
  /** The close code, once it is closed; 1006 where there was no closing handshake. */
  closeCode: number | undefined;

  constructor(constructor: WebSocketConstructor, url: string, headers: Readonly<Record<string, string>>) {
    this.#open = () => new constructor(url, { protocols: [SUBPROTOCOL], headers: { ...headers } });
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = this.#open();
      this.#socket = socket;
      socket.binaryType = 'arraybuffer';
      socket.addEventListener('open', () => resolve());
      socket.addEventListener('error', () => {
        const error = new Error('The WebSocket failed.');
        reject(error);
        this.onerror?.(error);
      });
      socket.addEventListener('close', ({ code }) => {
        this.closeCode = code;
        reject(new Error(`The WebSocket closed (${code}).`));
        if (this.#reading) void this.#reading.then(() => this.onclose?.());
        else this.onclose?.();
      });
      socket.addEventListener('message', ({ data }) => this.#receive(data));
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#socket?.readyState !== WebSocket.OPEN) {
      throw new SwitchboardError('not-connected', 'The WebSocket is closed.');
    }
    this.#socket.send(JSON.stringify(message));
  }

  async close(): Promise<void> {
    this.#socket?.close(NORMAL_CLOSURE);
  }

  #receive(data: unknown): void {
    const text = data instanceof ArrayBuffer ? Buffer.from(data).toString('utf8') : String(data);
    if (text.length > MAX_LINE_BYTES || hasTooManyParts(text)) {
      this.onoversized?.(text.length, idInFragment(text.slice(-ENDS_CHARS), text.slice(0, ENDS_CHARS)));
      return;
    }
    if (!this.#reading && text.length <= MAX_AT_ONCE) return this.#take(readMessages(text));
    const before = this.#reading ?? Promise.resolve();
    const reading: Promise<void> = before.then(async () => {
      this.#take(await inSlices(readMessageSteps(text)));
      if (this.#reading === reading) this.#reading = undefined;
    });
    this.#reading = reading;
  }

  #take(read: ReadText): void {
    if (read.kind === 'messages') {
      for (const message of read.messages) this.onmessage?.(message as unknown as JSONRPCMessage);
    } else {
      if (read.kind === 'unreadable') this.onunreadable?.(read.id, read.reason);
      this.onerror?.(new Error('Received a frame that is not JSON-RPC.'));
    }
  }
}
