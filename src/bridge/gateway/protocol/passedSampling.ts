import { isRecord, type JsonObject } from '../../../base/json/json.ts';
import { RPC_CODES } from '../../../connection/protocol/rpcCodes.ts';
import type { AskClient, RequestingClient } from './forwardedRequest.ts';
import { RpcError } from './jsonRpc.ts';

/**
 * A server's request to a client's model, as far as the client says that it can do it (specification: sampling, *Capabilities*).
 * @param declared the client's capability `sampling`
 * @throws RpcError where it has tools, and the client takes none
 */
export function passedSampling(params: JsonObject, declared: JsonObject): JsonObject {
  const wantsTools = params['tools'] !== undefined || params['toolChoice'] !== undefined;
  if (wantsTools && !isRecord(declared['tools']))
    throw new RpcError(RPC_CODES.invalidParams, 'The client takes no tools in sampling requests.');
  if (isRecord(declared['context'])) return params;
  const { includeContext: _left, ...rest } = params;
  return rest;
}

/** What asks a client's model, where the client says that it has one answer servers. */
export function sampling({ sampling: declared }: JsonObject, ask: AskClient): Pick<RequestingClient, 'sample'> {
  if (!isRecord(declared)) return {};
  return { sample: async (params, signal, key) => ask(passedSampling(params, declared), signal, key) };
}
