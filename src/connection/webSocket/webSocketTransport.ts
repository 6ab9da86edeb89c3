import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { parseLine } from '../protocol/rpcMessages.ts';

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
export class WebSocketTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  readonly #open: () => WebSocket;
  #socket: WebSocket | undefined;
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
        this.onclose?.();
      });
      socket.addEventListener('message', ({ data }) => this.#receive(data));
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#socket?.readyState !== WebSocket.OPEN) throw new Error('The WebSocket is closed.');
    this.#socket.send(JSON.stringify(message));
  }

  async close(): Promise<void> {
    this.#socket?.close(NORMAL_CLOSURE);
  }

  #receive(data: unknown): void {
    const text = data instanceof ArrayBuffer ? Buffer.from(data).toString('utf8') : String(data);
    const messages = parseLine(text);
    if (!messages) this.onerror?.(new Error('A frame that is no JSON-RPC.'));
    else for (const message of messages) this.onmessage?.(message as JSONRPCMessage);
  }
}
