// `node main.ts`: the conformance server over HTTP on loopback; prints its address. /mcp speaks both eras, /legacy the older.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { conformanceServer } from './server.ts';

const modern = createMcpHandler(() => conformanceServer(() => modern.notify), { legacy: 'reject' });
const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

/** A request of the older era: each session has a server of its own. */
async function answerLegacy(request: Request, body: unknown): Promise<Response> {
  const id = request.headers.get('mcp-session-id');
  const known = id === null ? undefined : sessions.get(id);
  if (known) return known.handleRequest(request, { parsedBody: body });
  if (id !== null)
    return Response.json(
      { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } },
      { status: 404 },
    );
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (sessionId) => void sessions.set(sessionId, transport),
    onsessionclosed: (sessionId) => void sessions.delete(sessionId),
  });
  const watched = new Set<string>();
  const server = conformanceServer((own) => ({
    toolsChanged: () => own.sendToolListChanged(),
    promptsChanged: () => own.sendPromptListChanged(),
    resourcesChanged: () => own.sendResourceListChanged(),
    resourceUpdated: (uri) => void (watched.has(uri) && own.server.sendResourceUpdated({ uri })),
  }));
  server.server.setRequestHandler('resources/subscribe', ({ params }) => {
    watched.add(params.uri);
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    watched.delete(params.uri);
    return {};
  });
  await server.connect(transport);
  return transport.handleRequest(request, { parsedBody: body });
}

async function answer(request: Request, body: unknown): Promise<Response> {
  const refusal =
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins());
  if (refusal) return refusal;
  const isLegacy = new URL(request.url).pathname === '/legacy' || (await isLegacyRequest(request, body));
  return isLegacy ? answerLegacy(request, body) : modern.fetch(request, { parsedBody: body });
}

async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const request = new Request(`http://127.0.0.1${incoming.url ?? '/'}`, {
    method: incoming.method ?? 'GET',
    headers: Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
    signal: gone.signal,
    ...(text ? { body: text } : {}),
  });
  const result = await answer(request, text ? JSON.parse(text) : undefined);
  response.writeHead(result.status, Object.fromEntries(result.headers));
  if (!result.body) response.end();
  else
    Readable.fromWeb(result.body)
      .on('error', () => response.end())
      .pipe(response);
}

const http = createServer((request, response) => {
  serve(request, response).catch((error: unknown) => {
    console.error(error);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  });
});
http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(http.address() as AddressInfo).port}`));
// It goes with whoever started it.
process.stdin.resume().once('end', () => process.exit(0));
