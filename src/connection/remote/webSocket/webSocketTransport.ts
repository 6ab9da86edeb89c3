import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { hasTooManyParts } from '../../../base/json/jsonMeter.ts';
import { SwitchboardError } from '../../../base/errors.ts';
import type { Steps } from '../../../base/timeSlices.ts';
import { idInFragment } from '../../protocol/rpcMessages.ts';
import { readMessageSteps } from '../../reading/readMessages.ts';
import { MAX_LINE_BYTES } from '../../stdio/lineFraming.ts';
import { saidIn } from '../answers/answerText.ts';
import { errorText } from '../answers/limitedBody.ts';
import { askedOnce } from './askedOnce.ts';
import { FrameQueue } from './frameQueue.ts';
import { httpAddress } from '../httpAddress.ts';
import { refusedUpgrade, SUBPROTOCOL } from './refusedUpgrade.ts';

/** Where the id of a frame that isn't read is looked for, in characters from both ends. */
const ENDS_CHARS = 1024;
/** Close code for an orderly end (RFC 6455, section 7.4.1). */
const NORMAL_CLOSURE = 1000;
/** The application's own, since a client may send no other (the WebSocket interface of browsers). */
const TOO_FAST = 4008;

/** The constructor as Node has it: its second argument may carry headers, which a browser's can't. */
export type WebSocketConstructor = new (
  url: string,
  options: { protocols: string[]; headers: Record<string, string> },
) => WebSocket;

export interface WebSocketTransportOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly webSocket: WebSocketConstructor;
  /** Adds what authorizes a request, and sends it again where that helps. */
  readonly authorize: (inner: typeof fetch) => typeof fetch;
}

/** The server opens no WebSocket. */
export class UpgradeRefused extends Error {
  override readonly name = 'UpgradeRefused';
  readonly status: number;
  /** The server's own sentence. */
  readonly said: string | undefined;

  constructor(status: number, said: string | undefined) {
    super(`HTTP ${status}`);
    this.status = status;
    this.said = said;
  }
}

/** Speaks JSON-RPC over a WebSocket, one message per text frame. The SDK has no such transport. */
export class WebSocketTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** A frame is over the limit of a line on stdio. `id`: of the request that it answers, if it can be found. */
  onoversized?: (bytes: number, id: string | number | undefined) => void;
  /** A frame can't be read. */
  onunreadable?: (id: string | number | undefined, reason: string) => void;

  readonly #options: WebSocketTransportOptions;
  #socket: WebSocket | undefined;
  #isClosed = false;
  readonly #frames = new FrameQueue((text) => this.#take(text));
  /** It was closed because frames came faster than they can be read. */
  isFlooded = false;
  /** It was open once. */
  opened = false;
  /** What it failed to open with. */
  failure: unknown;
  /** The close code, once it is closed; 1006 where there was no closing handshake. */
  closeCode: number | undefined;

  constructor(options: WebSocketTransportOptions) {
    this.#options = options;
  }

  /** @throws UpgradeRefused, UpgradeAccepted, or what `authorize` or the network failed with */
  async start(): Promise<void> {
    const { url, headers, authorize } = this.#options;
    try {
      const response = await authorize((_url, init) => this.#ask(init))(httpAddress(url), { headers });
      // What it says is cut off where it doesn't end.
      const said = this.opened ? '' : await errorText(response).catch(() => '');
      if (!this.opened) throw new UpgradeRefused(response.status, saidIn(said));
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  /** A request for a WebSocket as one of `fetch`, so that it is authorized as any other is. */
  async #ask(init: RequestInit | undefined): Promise<Response> {
    const headers = Object.fromEntries(new Headers(init?.headers));
    if (await this.#open(headers)) return new Response(null, { status: 204 });
    return this.#explain();
  }

  /** Why it doesn't open. Authorized on its own: a proof of a key is good for one request (RFC 9449, section 11.1). */
  #explain(): Promise<Response> {
    const { headers, authorize } = this.#options;
    const address = httpAddress(this.#options.url);
    return new Promise((resolve, reject) => {
      const ask: typeof fetch = async (_url, init) => {
        resolve(await refusedUpgrade(address, Object.fromEntries(new Headers(init?.headers))));
        // What is to be done about it is decided where the answer goes to.
        return new Response(null, { status: 204 });
      };
      authorize(ask)(address, { headers }).catch(reject);
    });
  }

  /** @returns whether it is open */
  #open(headers: Record<string, string>): Promise<boolean> {
    const { url, webSocket } = this.#options;
    if (this.#isClosed) throw new SwitchboardError('not-connected', 'Stopped while connecting.');
    return new Promise((resolve) => {
      const socket = new webSocket(url, { protocols: [SUBPROTOCOL], headers, ...askedOnce() });
      this.#socket = socket;
      socket.binaryType = 'arraybuffer';
      socket.addEventListener('open', () => resolve((this.opened = true)));
      socket.addEventListener('error', () => {
        resolve(false);
        if (this.opened) this.onerror?.(new Error('The WebSocket failed.'));
      });
      socket.addEventListener('close', ({ code }) => {
        resolve(false);
        if (!this.opened || this.isFlooded) return;
        this.closeCode = code;
        if (this.#frames.reading) void this.#frames.reading.then(() => this.onclose?.());
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
    this.#isClosed = true;
    this.#frames.clear();
    this.#socket?.close(NORMAL_CLOSURE);
  }

  #receive(data: unknown): void {
    if (this.isFlooded) return;
    const text = data instanceof ArrayBuffer ? Buffer.from(data).toString('utf8') : String(data);
    if (text.length > MAX_LINE_BYTES) return this.#tooLarge(text);
    if (this.#frames.push(text)) return;
    // The closing handshake would come behind all that it has sent.
    this.isFlooded = true;
    this.closeCode = TOO_FAST;
    this.#frames.clear();
    this.#socket?.close(TOO_FAST);
    this.onclose?.();
  }

  #tooLarge(text: string): void {
    this.onoversized?.(text.length, idInFragment(text.slice(-ENDS_CHARS), text.slice(0, ENDS_CHARS)));
  }

  *#take(text: string): Steps<void> {
    if (yield* hasTooManyParts(text)) return this.#tooLarge(text);
    const read = yield* readMessageSteps(text);
    if (read.kind === 'messages') {
      for (const message of read.messages) this.onmessage?.(message as unknown as JSONRPCMessage);
    } else {
      if (read.kind === 'unreadable') this.onunreadable?.(read.id, read.reason);
      this.onerror?.(new Error('Received a frame that is not JSON-RPC.'));
    }
  }
}
