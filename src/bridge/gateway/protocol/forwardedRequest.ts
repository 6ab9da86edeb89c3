import { isRecord, type JsonObject, type JsonValue } from '../../../base/json/json.ts';
import type { CallProgress } from '../../../connection/connectionTypes.ts';
import { elicited } from './elicitation.ts';
import { RPC_CODES } from '../../../connection/protocol/rpcCodes.ts';
import { RpcError } from './jsonRpc.ts';
import { isOffered } from './protocolMethods.ts';
import type { ListedTool, Upstream, UpstreamCall } from '../upstream.ts';

/** Asks a client within its request. `key` is what the server calls the question; the result is as the protocol has it. */
export type AskClient = (params: JsonObject, signal: AbortSignal, key?: string) => Promise<JsonObject>;

/** Who a request comes from, and what can be asked of it: what is absent can't. */
export interface RequestingClient {
  readonly name: string;
  readonly elicit?: AskClient;
  readonly sample?: AskClient;
  /** `roots/list`. */
  readonly roots?: AskClient;
  /** It may never come back with an answer. */
  readonly mayStayAway?: boolean;
  /** The request needs these capabilities, which the client didn't declare. */
  readonly lacks?: (capabilities: JsonObject) => void;
}

/** A client's request on its way to the server. */
export interface ForwardedRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly client: RequestingClient;
  /** Aborts when the client cancels it or goes away. */
  readonly signal: AbortSignal;
  /** Absent where the client wants none. */
  readonly onProgress?: (progress: CallProgress) => void;
  /** Whether the client has schemas as the servers have them. */
  readonly hasOriginals: boolean;
  /** Whether it is one of a session (protocol 2025-11-25 and older). */
  readonly isOfSession: boolean;
}

/**
 * The result of a client's request, of whichever revision.
 * @throws RpcError, or what the upstream throws
 */
export async function forwarded(upstream: Upstream, request: ForwardedRequest): Promise<JsonObject> {
  const { method, params, hasOriginals, isOfSession } = request;
  if (method === 'tools/list') return { tools: upstream.tools().map((tool) => definitionOf(tool, hasOriginals)) };
  if (method === 'tools/call') return callTool(upstream, request);
  if (!isOffered(method, upstream.describe().capabilities))
    throw new RpcError(RPC_CODES.methodNotFound, `Method not found: ${method}`);
  const { signal, caller, onProgress, ...questions } = callOf(request);
  const options = { signal, caller, ...(onProgress ? { onProgress } : {}), ...(isOfSession ? {} : questions) };
  const { resultType: _era, ...result } = await upstream.request(method, passedParams(params), options);
  return result;
}

/** A tool as this client lists it. */
export function definitionOf(tool: ListedTool, hasOriginals: boolean): JsonObject {
  return (hasOriginals ? tool.original : undefined) ?? tool.definition;
}

/** What tells a client of its request's progress, where its `_meta` has a token for it. */
export function progressTo(
  { _meta: meta }: JsonObject,
  send: (message: JsonObject) => void,
): ((progress: CallProgress) => void) | undefined {
  const token = isRecord(meta) ? meta['progressToken'] : undefined;
  if (typeof token !== 'string' && typeof token !== 'number') return undefined;
  return (progress) => {
    const params = { progressToken: token as JsonValue, ...progress } as JsonObject;
    send({ jsonrpc: '2.0', method: 'notifications/progress', params });
  };
}

async function callTool(upstream: Upstream, request: ForwardedRequest): Promise<JsonObject> {
  const { params, hasOriginals, isOfSession } = request;
  const { name, arguments: given } = params;
  const tool = typeof name === 'string' ? upstream.find(name) : undefined;
  const reason = tool || typeof name !== 'string' ? undefined : upstream.whyAbsent(name);
  // The tool's error, which the model reads: it was in the list before.
  if (reason !== undefined) return { content: [{ type: 'text', text: reason }], isError: true };
  if (!tool) throw new RpcError(RPC_CODES.invalidParams, `Unknown tool: ${JSON.stringify(name)}`);
  const args = given ?? {};
  // None in their place would be another call.
  if (!isRecord(args)) throw new RpcError(RPC_CODES.invalidParams, '`arguments` must be an object.');
  const call = { ...callOf(request), ...(isRecord(params['_meta']) ? { meta: params['_meta'] } : {}) };
  if (upstream.tasks && isOfSession && isRecord(params['task'])) return upstream.tasks.call(tool, args, call);
  const result = await upstream.call(tool, args, call);
  // Clients hold an answer against the schema, unless it is an error (specification: *Output Schema*).
  const isBare = 'outputSchema' in definitionOf(tool, hasOriginals) && !('structuredContent' in result);
  return isBare ? { ...result, isError: true } : result;
}

/** Cancellation, progress, and whom the server can ask. */
function callOf({ client, signal, onProgress }: ForwardedRequest): UpstreamCall & { readonly caller: string } {
  // A question ends with the call that it belongs to, whatever the server thinks: nobody is there to answer it.
  const within = (ask: AskClient): AskClient => {
    return (asked, until, key) => ask(asked, AbortSignal.any([until, signal]), key);
  };
  const { elicit, sample, roots, lacks, mayStayAway } = client;
  return {
    signal,
    caller: client.name,
    ...(onProgress ? { onProgress } : {}),
    ...(sample ? { sample: within(sample) } : {}),
    ...(roots ? { roots: within(roots) } : {}),
    ...(lacks ? { lacks } : {}),
    ...(mayStayAway ? { mayStayAway } : {}),
    ...(elicit
      ? {
          elicit: within(elicit),
          ask: (choice, until) => elicited(choice, (asked) => within(elicit)(asked, until)),
        }
      : {}),
  };
}

/** The token is the client's; the server gets one of the connection's own. */
function passedParams(params: JsonObject): JsonObject {
  const { _meta, ...rest } = params;
  if (!isRecord(_meta)) return rest;
  const { progressToken: _token, ...meta } = _meta;
  return Object.keys(meta).length > 0 ? { ...rest, _meta: meta } : rest;
}
