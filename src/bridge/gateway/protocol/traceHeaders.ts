import type { IncomingHttpHeaders } from 'node:http';
import { isRecord, type JsonObject } from '../../../base/json/json.ts';
import { parentOf } from '../../../calls/tracing/traceContext.ts';

/**
 * The parameters of a request with its place in a trace, which clients whose HTTP is traced name in headers (W3C Trace Context). Where the
 * request names it itself (SEP-414), that counts; what hasn't the form is as none, in either place. Pure.
 */
export function withTraceHeaders(params: JsonObject, { traceparent, tracestate }: IncomingHttpHeaders): JsonObject {
  const { _meta: meta = {} } = params;
  if (traceparent === undefined || !isRecord(meta) || parentOf(meta)) return params;
  const parent = parentOf({ traceparent: String(traceparent), tracestate: String(tracestate ?? '') });
  if (!parent) return params;
  const { traceparent: _parent, tracestate: _state, ...rest } = meta;
  const state = parent.state === undefined ? {} : { tracestate: parent.state };
  return { ...params, _meta: { ...rest, traceparent: String(traceparent), ...state } };
}
