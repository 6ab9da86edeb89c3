import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { JsonMeter } from '../../../base/json/jsonMeter.ts';

/** The longest body that is taken, in bytes. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** What may stand behind a path: which schemas the client wants to have. */
const SCHEMAS_OPTION = /\?schemas=(?:original|portable)$/;

export interface RequestHandler {
  handle(request: IncomingMessage, response: ServerResponse, body: string): Promise<void>;
}

export interface Refusal {
  readonly status: 401 | 403;
  /** For the client's log; says nothing of what would be right. */
  readonly message: string;
}

export interface RequestServerOptions {
  /** The handler of a path; `undefined`: nothing is there. */
  readonly find: (path: string) => RequestHandler | undefined;
  /** Why a request may not come in; absent: whoever can connect may. */
  readonly refusalOf?: (request: IncomingMessage) => Refusal | undefined;
  readonly maxBodyBytes?: number;
}

/** A server that isn't listening yet: lets requests in, reads their bodies, and hands them on. */
export function requestServer(options: RequestServerOptions): Server {
  const server = createServer((request, response) => {
    serve(request, response, options).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  // Later ones, such as too many open files, cost the connection that they are about.
  server.on('error', () => undefined);
  // A call may take as long as it takes.
  server.requestTimeout = 0;
  return server;
}

/** Ends it with all its connections. */
export function endServer(server: Server): void {
  server.close();
  server.closeAllConnections();
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { find, refusalOf, maxBodyBytes = MAX_BODY_BYTES }: RequestServerOptions,
): Promise<void> {
  const refusal = refusalOf?.(request);
  if (refusal) return refuse(request, response, refusal.status, refusal.message);
  const handler = find((request.url ?? '').replace(SCHEMAS_OPTION, ''));
  if (!handler) return refuse(request, response, 404, 'Not found.');
  const body = request.method === 'POST' ? await bodyOf(request, maxBodyBytes) : '';
  if (body === undefined) return refuse(request, response, 413, 'The body is too large.');
  return handler.handle(request, response, body);
}

/**
 * By its events: an iterator costs a call more than reading its JSON. `undefined` where it is too large: the rest is read
 * and dropped, up to as much again, since a client that still writes wouldn't see the answer.
 */
function bodyOf(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > 2 * maxBytes) return Promise.resolve(undefined);
  const chunks: Buffer[] = [];
  const meter = new JsonMeter();
  let length = 0;
  let isTooLarge = announced > maxBytes;
  return new Promise((resolve, reject) => {
    request
      .on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (!isTooLarge) chunks.push(chunk);
        isTooLarge ||= length > maxBytes || meter.push(chunk);
        if (isTooLarge) chunks.length = 0;
        if (length > 2 * maxBytes) resolve(undefined);
      })
      .on('end', () => resolve(isTooLarge ? undefined : Buffer.concat(chunks).toString('utf8')))
      .on('error', reject);
  });
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, message: string): void {
  // What else the client would send is not wanted.
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(message, () => {
    if (!request.complete) request.destroy();
  });
}
