import { mayHaveExactNumbers, parseExact, unlessSafeInteger } from '../../../base/json/exactJson.ts';
import { isRecord, type JsonObject } from '../../../base/json/json.ts';
import { isTooDeep, MAX_NESTING } from '../../../base/json/jsonDepth.ts';
import { atOnce } from '../../../base/timeSlices.ts';
import { RPC_CODES } from '../../../connection/protocol/rpcCodes.ts';
import { isRpcMessage } from '../../../connection/protocol/rpcMessages.ts';
import { messageOf } from '../../../base/errors.ts';

export type RequestId = string | number;

/** What a client sends, told apart. */
export type Incoming =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'response'; readonly id: RequestId; readonly result?: JsonObject; readonly error?: string };

/** An error that goes to the client as JSON-RPC has it. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: JsonObject | undefined;

  constructor(code: number, message: string, data?: JsonObject) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/**
 * The one message of a body.
 * @throws RpcError where it isn't one; batches went with protocol 2025-06-18 and are refused
 */
export function readMessage(body: string): Incoming {
  let value: unknown;
  if (atOnce(isTooDeep(body)))
    throw new RpcError(RPC_CODES.parse, `The body is nested more than ${MAX_NESTING} levels deep.`);
  try {
    value = JSON.parse(body);
  } catch {
    throw new RpcError(RPC_CODES.parse, 'The body is not JSON.');
  }
  if (!isRpcMessage(value)) {
    throw new RpcError(RPC_CODES.invalidRequest, 'The body is not one JSON-RPC 2.0 message.');
  }
  const { id, method, params, result, error } = value;
  const hasId = typeof id === 'string' || typeof id === 'number';
  // Taken for a notification, a request would never be answered.
  if (id !== undefined && !hasId) throw new RpcError(RPC_CODES.invalidRequest, 'The id must be a string or a number.');
  if (typeof method === 'string') {
    const given = withExactArguments(isRecord(params) ? (params as JsonObject) : {}, body);
    return hasId ? { kind: 'request', id, method, params: given } : { kind: 'notification', method, params: given };
  }
  if (!hasId) throw new RpcError(RPC_CODES.invalidRequest, 'The message has neither a method nor an id.');
  if (isRecord(result)) return { kind: 'response', id, result: result as JsonObject };
  const message = isRecord(error) && typeof error['message'] === 'string' ? error['message'] : 'no result';
  return { kind: 'response', id, error: message };
}

/** A longer message is read once, at once: keeping its digits takes ten times as long. In characters. */
const MAX_EXACT = 128 * 1024;

/** Arguments go on with their numbers as they are written, unless the message is long. */
function withExactArguments(params: JsonObject, body: string): JsonObject {
  if (!isRecord(params['arguments']) || body.length > MAX_EXACT || !mayHaveExactNumbers(body)) return params;
  const { params: exact } = parseExact(body, { keeps: unlessSafeInteger }) as { readonly params: JsonObject };
  return { ...params, arguments: exact['arguments'] ?? {} };
}

/** The answer to a request, as it goes on the wire. */
export function resultMessage(id: RequestId, result: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, result };
}

/** The refusal of a request, as it goes on the wire. `null`: it isn't known which. */
export function errorMessage(
  id: RequestId | null,
  { code, message, data }: { readonly code: number; readonly message: string; readonly data?: unknown },
): JsonObject {
  const error = { code, message, ...(data === undefined ? {} : { data: data as JsonObject }) };
  return { jsonrpc: '2.0', id, error };
}

/** What a server says of the connection to it, and a refusal of the user. */
const OWN_CODES: readonly number[] = [RPC_CODES.userRejected, RPC_CODES.unsupportedVersion];
/** Codes that the protocol gives a meaning: what a client gets of a server's own error. */
const PASSED_CODES = new Set<number>(Object.values(RPC_CODES).filter((code) => !OWN_CODES.includes(code)));

/** Anything thrown as JSON-RPC has it: a server's own error keeps its code and data. */
export function toRpcError(error: unknown): {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
} {
  const message = messageOf(error);
  if (error instanceof RpcError) return { code: error.code, message, ...(error.data ? { data: error.data } : {}) };
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { code, data } = cause as { code?: unknown; data?: unknown };
    if (typeof code === 'number' && PASSED_CODES.has(code))
      return { code, message, ...(data === undefined ? {} : { data }) };
  }
  return { code: RPC_CODES.internal, message };
}
