import type { ServerResponse } from 'node:http';
import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';
import type { JsonObject } from '../../../base/json/json.ts';

/** How often a silent stream says that it lives, in milliseconds: clients and proxies end one that is silent for long. */
export const HEARTBEAT_MS = 30_000;

/** A client that leaves so much unread, in bytes, is gone. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

/** A response that is a stream of events (specification: Streamable HTTP). Open from the first moment. */
export class EventStream implements Disposable {
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  #heartbeat: Disposable | undefined;

  constructor(response: ServerResponse, clock: Clock, headers: Readonly<Record<string, string>> = {}) {
    this.#response = response;
    this.#clock = clock;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', ...headers });
    response.write(': open\n\n');
    response.once('close', () => this.#heartbeat?.dispose());
    this.#beat();
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  send(message: JsonObject): void {
    if (!this.isOpen) return;
    if (this.#response.writableLength > MAX_UNREAD_BYTES) this.#response.destroy();
    else this.#response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  /** Calls `listener` when the client is gone or the stream has ended. */
  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }

  dispose(): void {
    this.#heartbeat?.dispose();
    if (this.isOpen) this.#response.end();
  }

  #beat(): void {
    this.#heartbeat = this.#clock.schedule(HEARTBEAT_MS, () => {
      if (!this.isOpen) return;
      this.#response.write(': alive\n\n');
      this.#beat();
    });
  }
}
