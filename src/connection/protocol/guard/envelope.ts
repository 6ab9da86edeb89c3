import { isRecord } from '../../../base/json/json.ts';
import type { RawMessage } from '../../reading/readMessages.ts';
import { RPC_CODES } from '../rpcCodes.ts';
import type { Tolerate } from './tolerances.ts';

/** A message by what it is, with the members that it must have (JSON-RPC 2.0); ids are as they came. */
export type Envelope =
  | {
      readonly kind: 'answer';
      readonly id: unknown;
      readonly result: unknown;
      readonly error?: never;
    }
  | { readonly kind: 'answer'; readonly id: unknown; readonly error: RpcError; readonly result?: never }
  | { readonly kind: 'request'; readonly id: unknown; readonly method: string; readonly params: Params }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Params };

export type Answer = Extract<Envelope, { readonly kind: 'answer' }>;

type Params = Readonly<Record<string, unknown>> | undefined;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * The message that a server means by what it sends: an answer where there is a result or an error, whatever else there
 * is; a notification by its name, whatever id it has. `undefined`: neither. Pure.
 */
export function envelopeOf(raw: RawMessage, tolerate: Tolerate): Envelope | undefined {
  const { id, method, params, result, error } = raw;
  if (raw['jsonrpc'] !== '2.0') tolerate('no jsonrpc');
  const isNamed = typeof method === 'string' && method !== '';
  const hasResult = result !== undefined && result !== null;
  const isAlone = !('result' in raw) && error !== null;
  const hasError = error !== undefined && (isAlone || !isEmptyError(error));
  // Only an answer has an id and no method, even where there is nothing else in it.
  const isEmpty = !isNamed && ('result' in raw || 'error' in raw || (id !== undefined && id !== null));
  if (hasError || hasResult || isEmpty) {
    if (method !== undefined || params !== undefined) tolerate('extra members');
    if (hasError) return { kind: 'answer', id, error: errorOf(error, tolerate) };
    if (error !== undefined) tolerate('empty error');
    return { kind: 'answer', id, result };
  }
  if (!isNamed) return undefined;
  if (id === undefined) return { kind: 'notification', method, params: paramsOf(params, tolerate) };
  if (method.startsWith('notifications/')) {
    tolerate('null for absent');
    return { kind: 'notification', method, params: paramsOf(params, tolerate) };
  }
  return { kind: 'request', id, method, params: paramsOf(params, tolerate) };
}

function paramsOf(params: unknown, tolerate: Tolerate): Params {
  if (params === undefined) return undefined;
  if (isRecord(params)) {
    const meta = params['_meta'];
    if (meta === undefined || isRecord(meta)) return params;
    tolerate('params of another form');
    const { _meta: _, ...rest } = params;
    return rest;
  }
  tolerate(params === null ? 'null for absent' : 'params of another form');
  return undefined;
}

/** What servers send for no error beside a result. */
function isEmptyError(error: unknown): boolean {
  if (error === null || error === false || error === 0 || error === '') return true;
  return typeof error === 'object' && Object.keys(error).length === 0;
}

/** Members in which servers say what happened. */
const SAYING = ['message', 'msg', 'detail', 'description', 'error', 'reason', 'title'] as const;

/** An error with a numeric code and a message. What the server says is kept, and nothing is made up. */
function errorOf(error: unknown, tolerate: Tolerate): RpcError {
  if (!isRecord(error)) {
    tolerate('error of another form');
    return { code: RPC_CODES.internal, message: textOf(error) };
  }
  const { code, message, data } = error;
  const isRight = Number.isSafeInteger(code) && typeof message === 'string';
  if (isRight) return { code: code as number, message, ...(data === undefined ? {} : { data }) };
  tolerate('error of another form');
  const said = SAYING.map((key) => error[key]).find((each) => each !== undefined && each !== null && each !== '');
  const text = said === undefined ? textOf(error) : textOf(said);
  const number = typeof code === 'string' && /^\s*-?\d+\s*$/.test(code) ? Number(code) : code;
  if (Number.isSafeInteger(number)) {
    return { code: number as number, message: text, ...(data === undefined ? {} : { data }) };
  }
  const name = typeof code === 'string' && code !== '' && said !== undefined ? `${code}: ` : '';
  return { code: RPC_CODES.internal, message: `${name}${text}`, ...(data === undefined ? {} : { data }) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
