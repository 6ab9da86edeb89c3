import { VERSION_KEY } from '../../../../connection/protocol/ownMeta.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { isRecord, type JsonObject } from '../../../../base/json/json.ts';
import type { ServerLogLevel } from '../../../../base/log.ts';
import { RPC_CODES } from '../../../../connection/protocol/rpcCodes.ts';
import { RpcError, type Incoming } from '../jsonRpc.ts';
import { clientNameOf, isLogLevel } from '../protocolMethods.ts';

/** The revisions without sessions that are spoken to clients. */
export const STATELESS_VERSIONS = ['2026-07-28'] as const;

/** Keys of `_meta` (specification 2026-07-28). */
export const META = {
  version: VERSION_KEY,
  client: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  server: 'io.modelcontextprotocol/serverInfo',
  subscription: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** What every request of such a revision says of its client. */
export interface RequestEnvelope {
  readonly clientName: string;
  readonly capabilities: JsonObject;
  /** How much of the server's log it wants within the request; none where it doesn't say. */
  readonly logLevel: ServerLogLevel | undefined;
}

type Request = Extract<Incoming, { kind: 'request' }>;

/** Whether a message is of a revision without sessions: it says so, or its header does. */
export function isStateless(message: Incoming, headers: IncomingHttpHeaders): boolean {
  if (message.kind === 'response') return false;
  const claimed = metaOf(message)[META.version];
  if (message.method === 'initialize' && !isSpoken(claimed)) return false;
  const header = headers['mcp-protocol-version'];
  // Revisions are dates.
  const isNewer = typeof header === 'string' && /^\d{4}-\d\d-\d\d$/.test(header) && header >= STATELESS_VERSIONS[0];
  return claimed !== undefined || isNewer;
}

/**
 * Reads what a request says of its client.
 * @param headers of its HTTP request; `undefined` where nothing stands between the client and this
 * @throws RpcError that the client gets with 400 (specification 2026-07-28: *Streamable HTTP*)
 */
export function readEnvelope(request: Request, headers: IncomingHttpHeaders | undefined): RequestEnvelope {
  const meta = metaOf(request);
  const { [META.version]: version, [META.capabilities]: capabilities, [META.logLevel]: logLevel } = meta;
  if (typeof version !== 'string') throw missing(META.version);
  if (!isRecord(capabilities)) throw missing(META.capabilities);
  if (headers) checkVersionHeader(headers, version);
  if (!isSpoken(version))
    throw new RpcError(RPC_CODES.unsupportedVersion, `Unsupported protocol version: ${version}`, {
      supported: [...STATELESS_VERSIONS],
      requested: version,
    });
  return {
    clientName: clientNameOf(meta[META.client]),
    capabilities,
    logLevel: isLogLevel(logLevel) ? logLevel : undefined,
  };
}

function missing(key: string): RpcError {
  return new RpcError(RPC_CODES.invalidParams, `\`_meta\` must have ${key}.`);
}

function checkVersionHeader(headers: IncomingHttpHeaders, version: string): void {
  const header = headers['mcp-protocol-version'];
  if (header !== version)
    throw new RpcError(RPC_CODES.headerMismatch, `The header MCP-Protocol-Version must be ${version}.`);
}

function isSpoken(version: unknown): boolean {
  return STATELESS_VERSIONS.some((each) => each === version);
}

function metaOf({ params }: { readonly params: JsonObject }): JsonObject {
  return isRecord(params['_meta']) ? params['_meta'] : {};
}
