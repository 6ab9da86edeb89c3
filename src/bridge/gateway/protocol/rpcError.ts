import { messageOf } from '../../../base/errors.ts';
import { RPC_CODES } from '../../../connection/protocol/rpcCodes.ts';
import { RpcError } from './jsonRpc.ts';

/** Codes that the protocol gives a meaning: what a client gets of a server's own error. */
const PASSED_CODES = new Set<number>(Object.values(RPC_CODES).filter((code) => code !== RPC_CODES.userRejected));

/** Anything thrown as JSON-RPC has it: a server's own error keeps its code and data. */
export function toRpcError(error: unknown): {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
} {
  const message = messageOf(error);
  if (error instanceof RpcError) return { code: error.code, message };
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { code, data } = cause as { code?: unknown; data?: unknown };
    if (typeof code === 'number' && PASSED_CODES.has(code))
      return { code, message, ...(data === undefined ? {} : { data }) };
  }
  return { code: RPC_CODES.internal, message };
}
