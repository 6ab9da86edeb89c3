import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../../../base/clock.ts';
import type { Disposable } from '../../../../base/disposable.ts';
import { isRecord, stableStringify, type JsonObject, type JsonValue } from '../../../../base/json/json.ts';
import type { ServerLogLevel } from '../../../../base/log.ts';
import type { ServerNotification } from '../../../../connection/connectionTypes.ts';
import { ownMeta } from '../../../../connection/protocol/ownMeta.ts';
import { RPC_CODES } from '../../../../connection/protocol/rpcCodes.ts';
import type { Upstream } from '../../upstream.ts';
import { EventStream } from '../eventStream.ts';
import { definitionOf, forwarded } from '../forwardedRequest.ts';
import { errorMessage, resultMessage, type Incoming, toRpcError } from '../jsonRpc.ts';
import { isWanted } from '../protocolMethods.ts';
import { ChangeStreams } from './changeStreams.ts';
import { HeldRequest } from './heldRequest.ts';
import { HeldRequests } from './heldRequests.ts';
import { META, readEnvelope, STATELESS_VERSIONS, type RequestEnvelope } from './requestEnvelope.ts';
import { checkArgumentHeaders, checkStandardHeaders } from './requestHeaders.ts';

type Request = Extract<Incoming, { kind: 'request' }>;

/** An answer becomes a stream after so many milliseconds: until then, its status can say what is wrong. */
const SOON_MS = 10_000;
/** With which status a client gets an error that isn't the answer of a method. */
const STATUS_OF = new Map<number, number>([
  [RPC_CODES.methodNotFound, 404],
  [RPC_CODES.headerMismatch, 400],
  [RPC_CODES.missingCapability, 400],
  [RPC_CODES.unsupportedVersion, 400],
]);
/** What clients may keep: nothing. It is ours to say when a list changed, or what may be read. */
const UNCACHED: JsonObject = { ttlMs: 0, cacheScope: 'private' };
const CACHEABLE = /^(?:server\/discover|[\w/]+\/list|resources\/(?:directory\/)?read|skills\/get)$/;

/** The requests of clients that keep no session (protocol 2026-07-28). */
export class StatelessRequests implements Disposable {
  readonly #upstream: Upstream;
  readonly #clock: Clock;
  readonly #held: HeldRequests;
  readonly #changes: ChangeStreams;
  readonly #onLogLevel: () => void;

  /** @param onLogLevel called when the server's log is wanted otherwise, by what is under way */
  constructor(upstream: Upstream, clock: Clock, onLogLevel: () => void) {
    this.#upstream = upstream;
    this.#onLogLevel = onLogLevel;
    this.#clock = clock;
    this.#held = new HeldRequests(clock);
    this.#changes = new ChangeStreams(upstream);
  }

  /** Whether a client is there for sure. */
  get isInUse(): boolean {
    return this.#held.running.size > 0 || !this.#changes.isEmpty;
  }

  /** How much of the server's log is wanted by those that are under way. */
  get logLevels(): readonly ServerLogLevel[] {
    return [...this.#held.running].flatMap(({ envelope }) => envelope.logLevel ?? []);
  }

  /** @param hasOriginals whether the client has schemas as the servers have them */
  async answer(
    request: Request,
    { headers, socket }: IncomingMessage,
    response: ServerResponse,
    hasOriginals: boolean,
  ): Promise<void> {
    const { id, method, params } = request;
    const stream = new EventStream(response, this.#clock, SOON_MS);
    // On a socket of the user's own, nothing stands between: its client speaks over stdio, and has no headers.
    const checked = socket.remoteAddress === undefined ? undefined : headers;
    let isRead = false;
    try {
      const envelope = readEnvelope(request, checked);
      if (checked) checkStandardHeaders(checked, method, params);
      isRead = true;
      if (method === 'subscriptions/listen') {
        await this.#changes.listen(id, params, envelope.clientName, stream);
        return;
      }
      if (checked && method === 'tools/call') {
        const { name } = params;
        const tool = typeof name === 'string' ? this.#upstream.find(name) : undefined;
        if (tool) checkArgumentHeaders(checked, definitionOf(tool, hasOriginals)['inputSchema'], params['arguments']);
      }
      const result = await this.#resultOf({ method, params, envelope, stream, hasOriginals });
      stream.finish(resultMessage(id, this.#whole(method, result)));
    } catch (error) {
      const thrown = inStateless(toRpcError(error), params);
      stream.finish(errorMessage(id, thrown), isRead ? STATUS_OF.get(thrown.code) : 400);
    }
  }

  /** What the server says of its log, and of what changed. */
  passOn(notification: ServerNotification): void {
    const { method, params = {} } = notification;
    if (method !== 'notifications/message') return this.#changes.tell(notification);
    for (const held of this.#held.running) {
      const { logLevel } = held.envelope;
      if (logLevel !== undefined && isWanted(params['level'], logLevel))
        held.notify({ jsonrpc: '2.0', method, params });
    }
  }

  async #resultOf(asked: {
    readonly method: string;
    readonly params: JsonObject;
    readonly envelope: RequestEnvelope;
    readonly stream: EventStream;
    readonly hasOriginals: boolean;
  }): Promise<JsonObject> {
    const { method, params: all, envelope, stream, hasOriginals } = asked;
    if (method === 'server/discover') return this.#discovered();
    const { inputResponses: _answers, requestState, _meta: _envelope, ...repeated } = all;
    const about = stableStringify([envelope.clientName, method, repeated]);
    const begun = { about, envelope, params: all };
    const held =
      requestState === undefined
        ? new HeldRequest(begun, this.#clock, (own, signal) => {
            const { client, onProgress } = own;
            const request = { method, params: sentOn(all), client, signal, hasOriginals, isOfSession: false };
            return forwarded(this.#upstream, onProgress ? { ...request, onProgress } : request);
          })
        : this.#held.resume(requestState, about);
    this.#held.run(held);
    if (envelope.logLevel !== undefined) this.#onLogLevel();
    let isAnswered = false;
    stream.onClose(() => isAnswered || held.dispose());
    try {
      return await held.during({ params: all, send: (message) => stream.send(message) });
    } finally {
      isAnswered = true;
      this.#held.end(held);
    }
  }

  #discovered(): JsonObject {
    const { instructions, capabilities } = this.#upstream.describe();
    // Tasks are an extension here, which is another thing.
    const { tasks: _tasks, ...offered } = capabilities;
    const about = instructions === undefined ? {} : { instructions };
    return { supportedVersions: [...STATELESS_VERSIONS], capabilities: offered, ...about };
  }

  /** A result as these revisions have it. */
  #whole(method: string, result: JsonObject): JsonObject {
    const { tools, _meta: meta } = result;
    const { serverInfo } = this.#upstream.describe();
    const { name, version } = serverInfo;
    const server = method === 'server/discover' ? serverInfo : { name: name ?? '', version: version ?? '' };
    const isAll = result['resultType'] === undefined;
    return {
      resultType: 'complete',
      ...result,
      ...(method === 'tools/list' && Array.isArray(tools) ? { tools: tools.map(withoutExecution) } : {}),
      ...(isAll && CACHEABLE.test(method) ? UNCACHED : {}),
      _meta: { ...(isRecord(meta) ? meta : {}), [META.server]: server },
    };
  }

  dispose(): void {
    this.#changes.dispose();
    this.#held.dispose();
  }
}

/** What goes on to the server: it has an envelope of its own, and never learns of answers but by its questions. */
function sentOn({ inputResponses: _answers, requestState: _state, _meta: meta, ...params }: JsonObject): JsonObject {
  return { ...params, _meta: ownMeta(meta) };
}

/** Whether a tool can be a task is said otherwise here. */
function withoutExecution(tool: JsonValue): JsonValue {
  if (!isRecord(tool)) return tool;
  const { execution: _execution, ...rest } = tool;
  return rest;
}

/** A resource that isn't there has no code of its own any more. */
function inStateless(error: ReturnType<typeof toRpcError>, { uri }: JsonObject): typeof error {
  if (error.code !== RPC_CODES.resourceNotFound) return error;
  return { data: { uri }, ...error, code: RPC_CODES.invalidParams };
}
