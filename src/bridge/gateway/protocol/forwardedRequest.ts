import { isRecord, type JsonObject, type JsonValue } from '../../../base/json/json.ts';
import type { CallProgress, RequestOptions } from '../../../connection/connectionTypes.ts';
import type { ClientSession } from './clientSession.ts';
import { elicited } from './elicitation.ts';
import type { EventStream } from './eventStream.ts';
import { RPC_CODES } from '../../../connection/protocol/rpcCodes.ts';
import { RpcError } from './jsonRpc.ts';
import { isLogLevel, isOffered } from './protocolMethods.ts';
import { passedSampling } from './passedSampling.ts';
import { taskRequest } from './taskRequests.ts';
import type { Upstream, UpstreamCall } from '../upstream.ts';

/** A client's request on its way to the server. */
export interface ForwardedRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly session: ClientSession;
  /** What it is answered on: it may take long and ask something. */
  readonly stream: EventStream;
  /** Aborts when the client cancels it or goes away. */
  readonly signal: AbortSignal;
}

/**
 * The result of a client's request.
 * @throws RpcError, or what the upstream throws
 */
export async function resultOf(upstream: Upstream, request: ForwardedRequest): Promise<JsonObject> {
  const { method, params, session } = request;
  if (method === 'ping') return {};
  if (method === 'tools/list') return { tools: upstream.tools().map(({ definition }) => definition) };
  if (method === 'tools/call') return callTool(upstream, request);
  const aboutTask = upstream.tasks && taskRequest(upstream.tasks, method, params, session.clientName, request.signal);
  if (aboutTask) return aboutTask;
  if (!isOffered(method, upstream.describe().capabilities))
    throw new RpcError(RPC_CODES.methodNotFound, `Method not found: ${method}`);
  switch (method) {
    case 'resources/subscribe':
      if (!session.isSubscribed(params['uri'])) {
        const uri = uriOf(params);
        session.keepSubscription(uri, await upstream.subscribe(uri, session.clientName));
      }
      return {};
    case 'resources/unsubscribe':
      session.dropSubscription(uriOf(params));
      return {};
    case 'logging/setLevel':
      if (!isLogLevel(params['level'])) throw new RpcError(RPC_CODES.invalidParams, 'Unknown log level.');
      session.logLevel = params['level'];
      return {};
    default: {
      const options = { ...optionsOf(request), caller: session.clientName };
      const { resultType: _era, ...result } = await upstream.request(method, passedParams(params), options);
      return result;
    }
  }
}

async function callTool(upstream: Upstream, request: ForwardedRequest): Promise<JsonObject> {
  const { params, session, stream } = request;
  const { name, arguments: given } = params;
  const tool = typeof name === 'string' ? upstream.find(name) : undefined;
  const reason = tool || typeof name !== 'string' ? undefined : upstream.whyAbsent(name);
  // The tool's error, which the model reads: it was in the list before.
  if (reason !== undefined) return { content: [{ type: 'text', text: reason }], isError: true };
  if (!tool) throw new RpcError(RPC_CODES.invalidParams, `Unknown tool: ${JSON.stringify(name)}`);
  const args = given ?? {};
  // None in their place would be another call.
  if (!isRecord(args)) throw new RpcError(RPC_CODES.invalidParams, '`arguments` must be an object.');
  const { signal, onProgress } = optionsOf(request);
  // A question ends with the call that it belongs to, whatever the server thinks: nobody is there to answer it.
  const asking =
    (about: string) =>
    (asked: JsonObject, until: AbortSignal): Promise<JsonObject> =>
      session.ask(stream, about, asked, AbortSignal.any([until, signal]));
  const elicit = asking('elicitation/create');
  const { sampling } = session;
  const sample = asking('sampling/createMessage');
  const call: UpstreamCall = {
    signal,
    caller: session.clientName,
    ...(isRecord(params['_meta']) ? { meta: params['_meta'] } : {}),
    ...(onProgress ? { onProgress } : {}),
    ...(sampling ? { sample: async (asked, until) => sample(passedSampling(asked, sampling), until) } : {}),
    ...(session.canElicit ? { elicit, ask: (choice, until) => elicited(choice, (asked) => elicit(asked, until)) } : {}),
  };
  if (upstream.tasks && isRecord(params['task'])) return upstream.tasks.call(tool, args, call);
  const result = await upstream.call(tool, args, call);
  // Clients hold an answer against the schema, unless it is an error (specification: *Output Schema*).
  const isBare = 'outputSchema' in tool.definition && !('structuredContent' in result);
  return isBare ? { ...result, isError: true } : result;
}

/** Cancellation, and progress, where the client wants it. */
function optionsOf({ params, stream, signal }: ForwardedRequest): RequestOptions & { readonly signal: AbortSignal } {
  const token = isRecord(params['_meta']) ? params['_meta']['progressToken'] : undefined;
  const onProgress = (progress: CallProgress): void => {
    const told = { progressToken: token as JsonValue, ...progress } as JsonObject;
    stream.send({ jsonrpc: '2.0', method: 'notifications/progress', params: told });
  };
  const wantsProgress = typeof token === 'string' || typeof token === 'number';
  return { signal, ...(wantsProgress ? { onProgress } : {}) };
}

/** The token is the client's; the server gets one of the connection's own. */
function passedParams(params: JsonObject): JsonObject {
  const { _meta, ...rest } = params;
  if (!isRecord(_meta)) return rest;
  const { progressToken: _token, ...meta } = _meta;
  return Object.keys(meta).length > 0 ? { ...rest, _meta: meta } : rest;
}

function uriOf({ uri }: JsonObject): string {
  if (typeof uri !== 'string') throw new RpcError(RPC_CODES.invalidParams, '`uri` must be a string.');
  return uri;
}
