import type { ServerResponse } from 'node:http';
import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';
import type { JsonObject } from '../../../base/json/json.ts';

/** How often a silent stream says that it lives, in milliseconds: clients and proxies end one that is silent for long. */
export const HEARTBEAT_MS = 30_000;

/** A client that leaves so much unread, in bytes, is gone. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

/**
 * The answer to a request (specification: Streamable HTTP): a stream of events, or one message in JSON where that comes soon
 * and is all.
 */
export class EventStream implements Disposable {
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  /** Of the next heartbeat, or of the moment when it becomes a stream. */
  #timer: Disposable | undefined;
  #isStream = false;

  /** @param soonMs how long it may still become one message, in milliseconds; 0: it is a stream from the first moment */
  constructor(response: ServerResponse, clock: Clock, soonMs = 0) {
    this.#response = response;
    this.#clock = clock;
    response.once('close', () => this.#timer?.dispose());
    if (soonMs > 0) this.#timer = clock.schedule(soonMs, () => this.#begin());
    else this.#begin();
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  send(message: JsonObject): void {
    if (!this.isOpen) return;
    this.#begin();
    if (this.#response.writableLength > MAX_UNREAD_BYTES) this.#response.destroy();
    else this.#response.write(eventOf(message));
  }

  /** Sends the last message, and ends. @param status where it is the only one */
  finish(message: JsonObject, status = 200): void {
    this.#timer?.dispose();
    if (!this.isOpen) return;
    if (this.#isStream) this.#response.end(eventOf(message));
    else sendJson(this.#response, status, message);
  }

  /** Calls `listener` when the client is gone or the stream has ended. */
  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }

  dispose(): void {
    this.#timer?.dispose();
    if (this.isOpen) this.#response.end();
  }

  #begin(): void {
    if (this.#isStream || !this.isOpen) return;
    this.#isStream = true;
    this.#response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    this.#response.write(': open\n\n');
    this.#timer?.dispose();
    this.#beat();
  }

  #beat(): void {
    this.#timer = this.#clock.schedule(HEARTBEAT_MS, () => {
      if (!this.isOpen) return;
      this.#response.write(': alive\n\n');
      this.#beat();
    });
  }
}

function eventOf(message: JsonObject): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

/** Answers with one message of JSON, in one piece. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  const own = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  response.writeHead(status, { ...own, ...headers }).end(text);
}
