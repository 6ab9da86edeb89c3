import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  type IncomingHttpHeaders,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Disposable } from '../../../base/disposable.ts';
import { createHash, timingSafeEqual } from 'node:crypto';

/** What a request must show to come in. */
interface AccessRules {
  /** The port that is listened on. */
  readonly port: number;
  /** The bearer token of this activation. */
  readonly token: string;
}

interface Refusal {
  readonly status: 401 | 403;
  /** For the client's log; says nothing of what would be right. */
  readonly message: string;
}

/**
 * Whether a request may come in (specification: Streamable HTTP, *Security Warning*). A `Host` that isn't ours is a
 * rebound name, an `Origin` that isn't ours a page in a browser: neither gets as far as the token.
 */
function refusalOf(headers: IncomingHttpHeaders, { port, token }: AccessRules): Refusal | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes((headers.host ?? '').toLowerCase())) return { status: 403, message: 'Host not allowed.' };
  const { origin } = headers;
  if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`)) {
    return { status: 403, message: 'Origin not allowed.' };
  }
  const given = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return given !== undefined && isSame(given, token)
    ? undefined
    : { status: 401, message: 'A valid bearer token is required.' };
}

/** In a time that tells nothing of where they differ. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The longest body that is taken, in bytes. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

export interface LoopbackHandler {
  handle(request: IncomingMessage, response: ServerResponse, body: string): Promise<void>;
}

/** HTTP on 127.0.0.1 alone, on a port that the system picks, for those who know the token. */
export class LoopbackServer implements Disposable {
  readonly #server: Server;
  readonly #token: string;
  readonly #maxBodyBytes: number;
  #port = 0;

  /** @param find the handler of a path; `undefined`: nothing is there */
  constructor(
    token: string,
    find: (path: string) => LoopbackHandler | undefined,
    maxBodyBytes: number = MAX_BODY_BYTES,
  ) {
    this.#token = token;
    this.#maxBodyBytes = maxBodyBytes;
    this.#server = createServer((request, response) => {
      this.#serve(request, response, find).catch(() => {
        if (!response.headersSent) response.writeHead(500);
        response.end();
      });
    });
    // Later ones, such as too many open files, cost the connection that they are about.
    this.#server.on('error', () => undefined);
    // A call may take as long as it takes.
    this.#server.requestTimeout = 0;
  }

  /**
   * @param preferredPort another one is picked where it isn't free
   * @returns the port
   */
  async listen(preferredPort = 0): Promise<number> {
    try {
      await this.#listenOn(preferredPort);
    } catch (error) {
      if (preferredPort === 0) throw error;
      await this.#listenOn(0);
    }
    this.#port = (this.#server.address() as AddressInfo).port;
    return this.#port;
  }

  #listenOn(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
  }

  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
    find: (path: string) => LoopbackHandler | undefined,
  ): Promise<void> {
    const refusal = refusalOf(request.headers, { port: this.#port, token: this.#token });
    if (refusal) return refuse(request, response, refusal.status, refusal.message);
    const handler = find(request.url ?? '');
    if (!handler) return refuse(request, response, 404, 'Not found.');
    const body = request.method === 'POST' ? await this.#read(request) : '';
    if (body === undefined) return refuse(request, response, 413, 'The body is too large.');
    return handler.handle(request, response, body);
  }

  async #read(request: IncomingMessage): Promise<string | undefined> {
    if (Number(request.headers['content-length'] ?? 0) > this.#maxBodyBytes) return undefined;
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > this.#maxBodyBytes) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  dispose(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, message: string): void {
  // What else the client would send is not wanted.
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(message, () => {
    if (!request.complete) request.destroy();
  });
}
