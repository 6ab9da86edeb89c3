import { isRecord, type JsonObject } from '../../base/json/json.ts';

/** Prefix of the protocol's own keys in `_meta`. */
export const PROTOCOL_PREFIX = 'io.modelcontextprotocol/';
/** Where each request of 2026-07-28 says its version, and so that it is of no session. */
export const VERSION_KEY = `${PROTOCOL_PREFIX}protocolVersion`;

/**
 * What of a caller's `_meta` a server gets: keys of the protocol are the connection's to set, such as the version, the
 * capabilities and the token of progress.
 */
export function ownMeta(given: unknown): JsonObject {
  const all = isRecord(given) ? Object.entries(given as JsonObject) : [];
  return Object.fromEntries(all.filter(([key]) => key !== 'progressToken' && !key.startsWith(PROTOCOL_PREFIX)));
}

/** Where a request belongs in a trace (SEP-414): it changes no answer. */
const TRACE: ReadonlySet<string> = new Set(['traceparent', 'tracestate', 'baggage']);

/** Whether a server may answer otherwise for this `_meta`. */
export function asksOtherwise(meta: unknown): boolean {
  return isRecord(meta) && Object.keys(meta).some((key) => !TRACE.has(key));
}
