import type { IncomingHttpHeaders } from 'node:http';
import { isRecord, type JsonObject } from '../../../../base/json/json.ts';
import { RPC_CODES } from '../../../../connection/protocol/rpcCodes.ts';
import { RpcError } from '../jsonRpc.ts';

/** The parameter that `Mcp-Name` repeats, by method (specification 2026-07-28: *Standard Headers*). */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};
/** The longest way to a property that is looked at, in keys. */
const MAX_DEPTH = 16;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/**
 * Holds the headers that repeat a request against it: what is between the client and this may have decided by them.
 * @throws RpcError `headerMismatch`
 */
export function checkStandardHeaders(headers: IncomingHttpHeaders, method: string, params: JsonObject): void {
  const named = headers['mcp-method'];
  if (named !== method) throw mismatch('Mcp-Method', method);
  const key = Object.hasOwn(NAMED_BY, method) ? NAMED_BY[method] : undefined;
  const name = key === undefined ? undefined : params[key];
  if (typeof name === 'string' && decoded(headers['mcp-name']) !== name) throw mismatch('Mcp-Name', name);
}

/**
 * The same for the headers that repeat arguments of a tool (`x-mcp-header` in its schema).
 * @param schema as the client has it in its list
 * @throws RpcError `headerMismatch`
 */
export function checkArgumentHeaders(headers: IncomingHttpHeaders, schema: unknown, args: unknown): void {
  for (const { header, path } of declaredIn(schema, [])) {
    let value = args;
    for (const key of path) value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue;
    const name = `Mcp-Param-${header}`;
    const given = decoded(headers[name.toLowerCase()]);
    const isSame =
      given === String(value) || (typeof value === 'number' && NUMBER.test(given ?? '') && Number(given) === value);
    if (!isSame) throw mismatch(name, String(value));
  }
}

interface Declared {
  readonly header: string;
  readonly path: readonly string[];
}

/** By properties alone: elsewhere a schema can't declare any. */
function declaredIn(schema: unknown, path: readonly string[]): readonly Declared[] {
  if (!isRecord(schema) || path.length > MAX_DEPTH) return [];
  const { 'x-mcp-header': header, properties } = schema;
  const own = typeof header === 'string' && path.length > 0 ? [{ header, path }] : [];
  const inside = isRecord(properties) ? Object.entries(properties) : [];
  return [...own, ...inside.flatMap(([key, each]) => declaredIn(each, [...path, key]))];
}

/** The value of a header, also of one that is written in Base64; `undefined`: there is none, or it can't be read. */
function decoded(header: string | readonly string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(header) ?? [];
  if (encoded === undefined) return header;
  const bytes = Buffer.from(encoded, 'base64');
  try {
    return bytes.toString('base64') === encoded ? new TextDecoder('utf-8', { fatal: true }).decode(bytes) : undefined;
  } catch {
    return undefined;
  }
}

function mismatch(header: string, value: string): RpcError {
  return new RpcError(
    RPC_CODES.headerMismatch,
    `The header ${header} must be there and repeat ${JSON.stringify(value)}.`,
  );
}
