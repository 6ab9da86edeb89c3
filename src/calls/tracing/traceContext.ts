import type { JsonObject } from '../../base/json/json.ts';

/** A span as others refer to it (W3C Trace Context). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** `tracestate`: what tracers wrote of their own; it goes on with the trace. */
  readonly state?: string;
}

const PARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;
/** So much of each has to be read by everybody (W3C Trace Context, *tracestate Limits*). */
const MAX_STATE = 512;
const MAX_PARENT = 256;
const MEMBER = /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[ -+\--<>-~]{0,255}[!-+\--<>-~]$/;

/**
 * The span that a request belongs to, by its `_meta` (SEP-414). `undefined`: none is named, or not in the form of W3C Trace
 * Context, and then `tracestate` doesn't count either. Pure.
 */
export function parentOf(meta: JsonObject | undefined): TraceContext | undefined {
  const parent = meta?.['traceparent'];
  if (typeof parent !== 'string' || parent.length > MAX_PARENT) return undefined;
  const [, version, traceId, spanId, more] = PARENT.exec(parent) ?? [];
  if (traceId === undefined || spanId === undefined || (version === '00' && more !== undefined)) return undefined;
  const state = stateOf(meta?.['tracestate']);
  return { traceId, spanId, ...(state === undefined ? {} : { state }) };
}

/** `_meta` of a request that belongs to a span, in place of the one that it came with. It is recorded: the flag is set. */
export function withContext(meta: JsonObject | undefined, { traceId, spanId, state }: TraceContext): JsonObject {
  const { traceparent: _parent, tracestate: _state, ...rest } = meta ?? {};
  return { ...rest, traceparent: `00-${traceId}-${spanId}-01`, ...(state === undefined ? {} : { tracestate: state }) };
}

function stateOf(state: unknown): string | undefined {
  if (typeof state !== 'string' || state.length > MAX_STATE) return undefined;
  const members = state
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
  return members.length > 0 && members.length <= 32 && members.every((member) => MEMBER.test(member))
    ? members.join(',')
    : undefined;
}
