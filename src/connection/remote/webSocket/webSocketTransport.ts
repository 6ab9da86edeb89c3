import type { Duplex } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { SwitchboardError } from '../../../base/errors.ts';
import { rethrowLater } from '../../../base/event.ts';
import type { Steps } from '../../../base/timeSlices.ts';
import { idInFragment } from '../../protocol/rpcMessages.ts';
import type { TextTransport } from '../../protocol/textTransport.ts';
import type { OversizedText } from '../../reading/collectedText.ts';
import { readMessageSteps } from '../../reading/readMessages.ts';
import { saidIn } from '../answers/answerText.ts';
import { errorText } from '../answers/limitedBody.ts';
import { httpAddress } from '../httpAddress.ts';
import { FrameQueue } from './frameQueue.ts';
import { clientFrame, FrameFault, FrameReader, OPCODES } from './frames.ts';
import { requestUpgrade, type Upgraded } from './requestUpgrade.ts';
import { say } from '../../../base/say.ts';

/** Close codes (RFC 6455, section 7.4.1): an orderly end, a broken frame, none given, no closing handshake. */
const [NORMAL_CLOSURE, PROTOCOL_ERROR, NO_CODE, ABNORMAL_CLOSURE] = [1000, 1002, 1005, 1006];
/** A server that doesn't read gets no more answers to its pings, in bytes that wait. */
const MAX_UNSENT = 1024 * 1024;
/** How long a server that is done may take to read what is written to it, in milliseconds. */
const LEAVE_MS = 1000;

export interface WebSocketTransportOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
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
export class WebSocketTransport implements TextTransport {
  onmessage?: NonNullable<TextTransport['onmessage']>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** A message is over the limit of a line on stdio. `id`: of the request that it answers, if it can be found. */
  onoversized?: (bytes: number, id: string | number | undefined) => void;
  /** A message can't be read. */
  onunreadable?: (id: string | number | undefined, reason: string) => void;

  readonly #options: WebSocketTransportOptions;
  readonly #opening = new AbortController();
  readonly #messages = new FrameQueue({
    read: (text) => this.#take(text),
    // Nothing more is read of the connection then, and the server has to wait.
    onBusy: (isBusy) => {
      this.#isBusy = isBusy;
      this.#flow();
    },
  });
  readonly #frames = new FrameReader({
    onMessage: (message) => (typeof message === 'string' ? this.#messages.push(message) : this.#tooLarge(message)),
    onControl: (opcode, payload) => this.#control(opcode, payload),
  });
  #socket: Duplex | undefined;
  #isClosing = false;
  /** Messages wait. */
  #isBusy = false;
  /** Frames wait for the next turn. */
  #isBehind = false;
  /** What comes behind them. */
  #afterwards: (() => void)[] = [];
  /** Of the last ping that isn't answered yet: others needn't be (RFC 6455, section 5.5.3). */
  #ping: Buffer | undefined;
  /** It was open once. */
  opened = false;
  /** What it failed to open with. */
  failure: unknown;
  /** The close code, once it is closed; 1006 where there was no closing handshake. */
  closeCode: number | undefined;

  constructor(options: WebSocketTransportOptions) {
    this.#options = options;
  }

  /** @throws UpgradeRefused, UnusableUpgrade, or what `authorize` or the network failed with */
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
    const { signal } = this.#opening;
    if (signal.aborted) throw new SwitchboardError('not-connected', say`Stopped while connecting.`);
    const headers = Object.fromEntries(new Headers(init?.headers));
    const answer = await requestUpgrade(httpAddress(this.#options.url), headers, signal);
    if (answer instanceof Response) return answer;
    this.#open(answer);
    return new Response(null, { status: 204 });
  }

  #open({ socket, head }: Upgraded): void {
    this.#socket = socket;
    this.opened = true;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (error) => this.onerror?.(error));
    // A server may end its side only.
    socket.on('end', () => this.#afterFrames(() => this.#leave()));
    socket.once('close', () => this.#afterFrames(() => this.#closed()));
    this.#receive(head);
  }

  /** There is no connection, or none any more. */
  get isClosed(): boolean {
    return this.#socket?.destroyed !== false;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    return this.sendText(JSON.stringify(message));
  }

  async sendText(text: string): Promise<void> {
    if (!this.#socket || this.#isClosing || this.#socket.destroyed)
      throw new SwitchboardError('not-connected', say`The WebSocket is closed.`);
    this.#socket.write(clientFrame(OPCODES.text, Buffer.from(text)));
  }

  async close(): Promise<void> {
    this.#opening.abort();
    this.#messages.clear();
    this.#end(NORMAL_CLOSURE);
  }

  /** Ends the connection, whatever the server does. */
  destroy(): void {
    this.#socket?.destroy();
  }

  /** Sends a close frame, once. */
  #end(code: number): void {
    if (!this.#socket || this.#isClosing) return;
    this.#isClosing = true;
    this.#flow();
    this.#socket.write(clientFrame(OPCODES.close, Buffer.from([code >> 8, code & 0xff])));
  }

  /** A server that sends more than is read has to wait. The answer to a close frame doesn't wait for messages. */
  #flow(): void {
    const isHeld = this.#isBehind || (this.#isBusy && !this.#isClosing);
    if (isHeld) this.#socket?.pause();
    else this.#socket?.resume();
  }

  #afterFrames(action: () => void): void {
    if (this.#isBehind) this.#afterwards.push(action);
    else action();
  }

  #closed(): void {
    this.closeCode ??= ABNORMAL_CLOSURE;
    const { reading } = this.#messages;
    if (reading) void reading.then(() => this.onclose?.());
    else this.onclose?.();
  }

  #receive(chunk: Buffer): void {
    if (this.closeCode !== undefined) return;
    let isBehind = false;
    try {
      isBehind = this.#frames.push(chunk);
    } catch (error) {
      if (error instanceof FrameFault) this.#break(error);
      else rethrowLater(error);
      // A handler failed: what comes behind its message is read.
      isBehind = !(error instanceof FrameFault);
    }
    if (isBehind && !this.#isBehind) {
      this.#isBehind = true;
      this.#flow();
      setImmediate(() => this.#goOn());
    }
    const isRead = (this.#socket?.writableLength ?? 0) < MAX_UNSENT;
    if (this.#ping && isRead && !this.#isClosing) this.#socket?.write(clientFrame(OPCODES.pong, this.#ping));
    this.#ping = undefined;
  }

  #goOn(): void {
    this.#isBehind = false;
    this.#receive(Buffer.alloc(0));
    if (this.#isBehind) return;
    this.#flow();
    for (const action of this.#afterwards.splice(0)) action();
  }

  #break(fault: FrameFault): void {
    this.closeCode = PROTOCOL_ERROR;
    this.#end(PROTOCOL_ERROR);
    this.#socket?.destroy();
    this.onerror?.(fault);
  }

  #control(opcode: number, payload: Buffer): void {
    if (opcode === OPCODES.ping) this.#ping = payload;
    if (opcode !== OPCODES.close || this.closeCode !== undefined) return;
    this.closeCode = payload.length < 2 ? NO_CODE : payload.readUInt16BE(0);
    this.#end(payload.length < 2 ? NORMAL_CLOSURE : this.closeCode);
    this.#leave();
  }

  /** Ends the connection once all is written; whether the server ends its side, too, doesn't count. */
  #leave(): void {
    const socket = this.#socket;
    if (!socket) return;
    socket.end(() => socket.destroy());
    const timer = setTimeout(() => socket.destroy(), LEAVE_MS);
    socket.once('close', () => clearTimeout(timer));
  }

  #tooLarge({ bytes, head, tail }: OversizedText): void {
    this.onoversized?.(bytes, idInFragment(tail, head));
  }

  *#take(text: string): Steps<void> {
    if (this.#opening.signal.aborted) return;
    const read = yield* readMessageSteps(text);
    if (read.kind === 'messages') {
      const extra = read.messages.length === 1 ? { text } : undefined;
      for (const message of read.messages) this.onmessage?.(message as unknown as JSONRPCMessage, extra);
    } else {
      if (read.kind === 'unreadable') this.onunreadable?.(read.id, read.reason);
      this.onerror?.(new Error('Received a frame that is not JSON-RPC.'));
    }
  }
}
