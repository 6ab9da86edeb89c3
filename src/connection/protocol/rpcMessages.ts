import { isRecord } from '../../base/json/json.ts';

/** A JSON-RPC 2.0 message, as far as routing needs it. */
export interface RpcMessage {
  readonly jsonrpc: '2.0';
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Implementation-defined code (JSON-RPC 2.0, -32000 to -32099) of errors that are made up here for a request that got no answer. */
const LOCAL_ERROR_CODE = -32099;

export function isRpcMessage(value: unknown): value is RpcMessage {
  return isRecord(value) && value['jsonrpc'] === '2.0';
}

/** An error answer made here. `data` stays the same object on its way through the SDK. */
export function localErrorResponse(id: string | number, data: unknown): RpcMessage {
  return { jsonrpc: '2.0', id, error: { code: LOCAL_ERROR_CODE, message: 'No usable answer', data } };
}

/** Finds the id of an answer in the first or last characters of its text. */
export function idInFragment(...fragments: readonly string[]): string | number | undefined {
  for (const fragment of fragments) {
    const match = /"id"\s*:\s*(?:(\d+)|"([^"\\]*)")/.exec(fragment);
    if (match) return match[1] === undefined ? match[2] : Number(match[1]);
  }
  return undefined;
}
