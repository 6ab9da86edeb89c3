import { VERSION_KEY } from '../../connection/protocol/ownMeta.ts';
import { dropOldest } from '../../base/data/dropOldest.ts';
import { isRecord, type JsonObject } from '../../base/json/json.ts';
import type { RecordedEvent, RecordedWhat } from '../../connection/recording/recordedEvent.ts';
import type { PlaceRequest } from '../../connection/recording/recorder.ts';
import { networkAttributes, OWN, part, shown, type Attributes, type Span } from './span.ts';
import { parentOf, withContext } from './traceContext.ts';

const HANDSHAKES: ReadonlySet<string> = new Set(['initialize', 'server/discover']);
/** So many requests are waited for; of more, the oldest have no span. */
const MAX_OPEN = 1_000;

export interface ConnectionSpansPorts {
  readonly tell: (span: Span) => void;
  /** A server by its id; `transport`: as it is configured. */
  readonly serverOf: (
    serverId: string,
  ) => { readonly name: string; readonly transport: string | undefined } | undefined;
}

/** Where the span of a request belongs. */
type Place = Pick<Span, 'context' | 'parentId' | 'isParentRemote'>;

interface Open {
  readonly place: Place;
  readonly method: string;
  readonly startMs: number;
  readonly version: string | undefined;
}

/**
 * The spans of requests that belong to no call: the handshakes of connections, and lists. Each is made of what is recorded of it:
 * a trace of its own, or part of a client's.
 */
export class ConnectionSpans {
  readonly #ports: ConnectionSpansPorts;
  readonly #open = new Map<string, Open>();
  /** Of requests that say it, as they are sent. */
  readonly #places = new WeakMap<object, Place>();
  /** By the connection: what its handshake agreed on. */
  readonly #versions = new Map<number, string>();

  constructor(ports: ConnectionSpansPorts) {
    this.#ports = ports;
  }

  /** A request as it is sent: a handshake or a list says in `_meta` where it belongs (SEP-414), so that the server's spans are part of its own. */
  readonly placed: PlaceRequest = (request) => {
    const { method, params } = request as { readonly method?: unknown; readonly params?: object };
    if (typeof method !== 'string' || !isTraced(method)) return request;
    const meta = metaOf(params) as JsonObject | undefined;
    const parent = parentOf(meta);
    const context = part(parent);
    const placed = { ...request, params: { ...params, _meta: withContext(meta, context) } };
    this.#places.set(placed, { context, ...(parent ? { parentId: parent.spanId, isParentRemote: true } : {}) });
    return placed;
  };

  /** Something happened at a connection. */
  readonly heard = (event: RecordedEvent): void => {
    const { what, connection } = event;
    if (what.kind === 'unanswered') this.#end(keyOf(connection, what.id), event, unansweredAttributes(what));
    if (what.kind !== 'message') return;
    const { id, method, params, result, error } = what.message as Readonly<Record<string, unknown>>;
    if (what.direction === 'received') {
      if (method === undefined) this.#end(keyOf(connection, id), event, errorAttributes(error), result);
    } else if (typeof method === 'string' && id !== undefined && isTraced(method)) {
      const place = this.#places.get(what.message) ?? { context: part(undefined) };
      this.#begin(keyOf(connection, id), { method, startMs: event.at, version: versionIn(params), place });
    }
  };

  #begin(key: string, open: Open): void {
    this.#open.set(key, open);
    dropOldest(this.#open, MAX_OPEN);
  }

  #end(key: string, { server, connection, at }: RecordedEvent, error: Attributes, result?: unknown): void {
    const open = this.#open.get(key);
    if (!open) return;
    this.#open.delete(key);
    const { method, startMs, place } = open;
    const agreed = isRecord(result) && method === 'initialize' ? result['protocolVersion'] : undefined;
    if (typeof agreed === 'string') this.#agree(connection, shown(agreed));
    const version = open.version ?? this.#versions.get(connection);
    const about = this.#ports.serverOf(server);
    this.#ports.tell({
      ...{ ...place, name: method, kind: 'client', startMs, endMs: at },
      attributes: {
        'mcp.method.name': method,
        ...(version === undefined ? {} : { 'mcp.protocol.version': version }),
        ...(about ? { [`${OWN}.server`]: shown(about.name), ...networkAttributes(about.transport) } : {}),
        ...error,
      },
      isError: 'error.type' in error,
    });
  }

  #agree(connection: number, version: string): void {
    this.#versions.set(connection, version);
    dropOldest(this.#versions, MAX_OPEN);
  }
}

/** Whether requests with a method of ours are traced here: those of calls are parts of these. */
function isTraced(method: string): boolean {
  return HANDSHAKES.has(method) || method.endsWith('/list');
}

function keyOf(connection: number, id: unknown): string {
  return `${connection} ${typeof id} ${String(id)}`;
}

function versionIn(params: unknown): string | undefined {
  const version = metaOf(params)?.[VERSION_KEY];
  return typeof version === 'string' ? shown(version) : undefined;
}

function metaOf(params: unknown): Readonly<Record<string, unknown>> | undefined {
  const meta = isRecord(params) ? params['_meta'] : undefined;
  return isRecord(meta) ? meta : undefined;
}

function errorAttributes(error: unknown): Attributes {
  if (error === undefined) return {};
  const code = isRecord(error) ? error['code'] : undefined;
  if (typeof code !== 'number') return { 'error.type': '_OTHER' };
  return { 'error.type': String(code), 'rpc.response.status_code': String(code) };
}

function unansweredAttributes({ reason, status }: Extract<RecordedWhat, { readonly kind: 'unanswered' }>): Attributes {
  // Nobody wants the answer any more: nothing failed.
  if (reason === 'cancelled') return { [`${OWN}.cancelled`]: true };
  if (status === undefined) return { 'error.type': shown(reason) };
  return { 'error.type': String(status), 'http.response.status_code': String(status) };
}
