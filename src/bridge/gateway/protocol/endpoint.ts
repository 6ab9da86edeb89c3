import type { Clock } from '../../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import { messageOf } from '../../../base/errors.ts';
import type { ServerNotification } from '../../../connection/connectionTypes.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ClientSession } from './clientSession.ts';
import { EventStream, sendJson } from './eventStream.ts';
import { RPC_CODES } from '../../../connection/protocol/rpcCodes.ts';
import { errorMessage, readMessage, resultMessage, RpcError, type Incoming, toRpcError } from './jsonRpc.ts';
import { isSpoken, mostOf, versionFor } from './protocolMethods.ts';
import { sessionResult } from './sessionRequest.ts';
import { isStateless } from './stateless/requestEnvelope.ts';
import { StatelessRequests } from './stateless/statelessRequests.ts';
import { withTraceHeaders } from './traceHeaders.ts';
import type { Upstream } from '../upstream.ts';

type Request = Extract<Incoming, { kind: 'request' }>;

/** How many sessions an endpoint keeps: more than there are agents on one machine at a time. */
const MAX_SESSIONS = 256;
const SESSION_HEADER = 'mcp-session-id';
const VERSION_HEADER = 'mcp-protocol-version';

export interface EndpointOptions {
  /** Goes with it. */
  readonly owned?: Disposable;
  /** What is answered within so many milliseconds is one message of JSON; absent: every answer is a stream, at once. */
  readonly soonMs?: number;
}

/** One server as an MCP endpoint over Streamable HTTP: with sessions (protocol 2025-11-25 and older), and without (2026-07-28). */
export class Endpoint implements Disposable {
  readonly #upstream: Upstream;
  readonly #clock: Clock;
  readonly #soonMs: number;
  /** Those used last come last. */
  readonly #sessions = new Map<string, ClientSession>();
  readonly #stateless: StatelessRequests;
  readonly #disposables = new DisposableStore();

  constructor(upstream: Upstream, clock: Clock, { owned, soonMs = 0 }: EndpointOptions = {}) {
    this.#soonMs = soonMs;
    this.#upstream = upstream;
    this.#clock = clock;
    this.#stateless = this.#disposables.add(new StatelessRequests(upstream, clock, () => this.#applyLogLevel()));
    this.#disposables.add(
      upstream.onDidChangeTools(() => {
        for (const session of this.#sessions.values()) session.notify('notifications/tools/list_changed');
        this.#stateless.passOn({ method: 'notifications/tools/list_changed' });
      }),
    );
    this.#disposables.add(upstream.onNotification((notification) => this.#passOn(notification)));
    this.#disposables.add(upstream);
    if (owned) this.#disposables.add(owned);
  }

  /** Whether a client is there for sure. */
  get isInUse(): boolean {
    return this.#stateless.isInUse || [...this.#sessions.values()].some(({ isAttended }) => isAttended);
  }

  /** Answers a request that was let in. `body` is that of a POST. */
  async handle(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    if (request.method === 'POST') return this.#post(request, response, body);
    const session = this.#sessionOf(request, response);
    if (!session) return;
    if (request.method === 'GET') {
      session.listen(new EventStream(response, this.#clock));
    } else if (request.method === 'DELETE') {
      this.#end(session);
      response.writeHead(204).end();
    } else {
      response.writeHead(405, { allow: 'GET, POST, DELETE' }).end();
    }
  }

  async #post(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    let message: Incoming;
    try {
      message = readMessage(body);
      if (message.kind === 'request')
        message = { ...message, params: withTraceHeaders(message.params, request.headers) };
    } catch (error) {
      const { code } = error instanceof RpcError ? error : { code: RPC_CODES.internal };
      sendJson(response, 400, errorMessage(null, { code, message: messageOf(error) }));
      return;
    }
    const schemas = new URLSearchParams(request.url?.split('?')[1]).get('schemas');
    if (isStateless(message, request.headers)) {
      // Of notifications, only cancellation is left, and here that is the end of the connection.
      if (message.kind === 'request') await this.#stateless.answer(message, request, response, schemas !== 'portable');
      else response.writeHead(202).end();
      return;
    }
    if (message.kind === 'request' && message.method === 'initialize') {
      this.#initialize(message, response, schemas === 'original');
      return;
    }
    const session = this.#sessionOf(request, response);
    if (!session) return;
    switch (message.kind) {
      case 'request':
        await this.#answer(message, session, response);
        return;
      case 'response':
        session.settle(message);
        break;
      case 'notification':
        if (message.method === 'notifications/cancelled') session.cancel(message.params['requestId']);
        break;
    }
    response.writeHead(202).end();
  }

  #initialize({ id, params }: Request, response: ServerResponse, hasOriginals: boolean): void {
    this.#makeRoom();
    const session = new ClientSession(params, hasOriginals);
    this.#sessions.set(session.id, session);
    const result = { protocolVersion: versionFor(params['protocolVersion']), ...this.#upstream.describe() };
    sendJson(response, 200, resultMessage(id, result), { [SESSION_HEADER]: session.id });
  }

  /** For one session more: the one ends that was used longest ago, those first whose client may be gone. */
  #makeRoom(): void {
    const sessions = [...this.#sessions.values()].sort((a, b) => Number(a.isAttended) - Number(b.isAttended));
    for (const session of sessions.slice(0, Math.max(0, sessions.length - MAX_SESSIONS + 1))) this.#end(session);
  }

  async #answer({ id, method, params }: Request, session: ClientSession, response: ServerResponse): Promise<void> {
    if (session.isRunning(id)) {
      // Else the first of the two could not be cancelled any more.
      sendJson(response, 400, errorMessage(id, { ...BAD_REQUEST, message: 'A request with this id is in progress.' }));
      return;
    }
    const stream = new EventStream(response, this.#clock, this.#soonMs);
    const answer = await session.run(id, stream, async (signal) => {
      try {
        return resultMessage(id, await sessionResult(this.#upstream, { method, params, session, stream, signal }));
      } catch (error) {
        return errorMessage(id, toRpcError(error));
      }
    });
    if (method === 'logging/setLevel') this.#applyLogLevel();
    stream.finish(answer);
  }

  #passOn({ method, params = {} }: ServerNotification): void {
    // Of its tools the list says what it says when it has been fetched again.
    if (method === 'notifications/tools/list_changed') return;
    this.#stateless.passOn({ method, params });
    for (const session of this.#sessions.values()) {
      if (method === 'notifications/message') session.log(params);
      else if (method !== 'notifications/resources/updated') session.notify(method);
      else if (session.isSubscribed(params['uri'])) session.notify(method, params);
    }
  }

  /** The server logs for all: what any of them wants. */
  #applyLogLevel(): void {
    const ofSessions = [...this.#sessions.values()].flatMap(({ logLevel }) => logLevel ?? []);
    const most = mostOf([...ofSessions, ...this.#stateless.logLevels]);
    if (most !== undefined) this.#upstream.setLogLevel(most);
  }

  #sessionOf(request: IncomingMessage, response: ServerResponse): ClientSession | undefined {
    const id = request.headers[SESSION_HEADER];
    const session = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    // Specification: 404 tells a client to begin a new session.
    if (!session) sendJson(response, id === undefined ? 400 : 404, errorMessage(null, NO_SESSION));
    if (session) {
      this.#sessions.delete(session.id);
      this.#sessions.set(session.id, session);
    }
    if (!session || isSpoken(request.headers[VERSION_HEADER])) return session;
    sendJson(response, 400, errorMessage(null, { ...BAD_REQUEST, message: 'Unsupported protocol version.' }));
    return undefined;
  }

  #end(session: ClientSession): void {
    this.#sessions.delete(session.id);
    session.dispose();
  }

  dispose(): void {
    this.#disposables.dispose();
    for (const session of [...this.#sessions.values()]) this.#end(session);
  }
}

const BAD_REQUEST = { code: RPC_CODES.invalidRequest };
const NO_SESSION = { ...BAD_REQUEST, message: 'Session not found.' };
