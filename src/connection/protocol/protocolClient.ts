import type { Client, ClientCapabilities, RequestOptions, StandardSchemaV1 } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import { isRecord, type JsonObject } from '../../base/json.ts';
import type { LogLevel } from '../../base/log.ts';
import { jsonWeight } from '../../base/jsonWeight.ts';
import { RateLimit } from '../../base/rateLimit.ts';
import type { AskingServer, ServerInfo, ServerRequestPorts } from '../connectionTypes.ts';
import type { Link } from '../link.ts';
import { RefusedRequest } from '../session/requestFailure.ts';
import type { ThrottledLog } from '../session/throttledLog.ts';
import { cleanIcons } from '../cleaning/cleanIcons.ts';
import { DefaultJsonSchemaValidator } from './sdkShims.ts';
import { RPC_CODES } from './rpcCodes.ts';

export interface ClientOptions {
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly server: AskingServer;
  readonly requests: ServerRequestPorts;
  /** The `sampling` capability, where there is one. */
  readonly sampling: JsonObject | undefined;
  readonly logger: ThrottledLog;
  readonly clock: Clock;
  readonly probeTimeoutMs: number;
  /** The user is asked something, until the returned function is called. */
  onWaiting(): () => void;
  /** An entry of the server's log, as it sent it. */
  onLog(params: JsonObject): void;
}

/** A list with more pages is taken to be endless. */
const MAX_LIST_PAGES = 500;
/** A log message of a server may be anything. */
const MAX_LOG_CHARS = 2000;
/** Questions of one server that are open at a time. */
const MAX_OPEN = 8;
/** A heavier form can’t be read; see `jsonWeight`. */
const MAX_FORM_WEIGHT = 256 * 1024;
/** Forms and addresses that one server may show the user, at once and in the long run. */
const SHOWN = { perSecond: 1 / 6, burst: 20 };

/** A client of the SDK that answers requests of the server (roots, sampling, elicitation, ping) and takes its log. */
export function createClient(sdk: typeof import('./sdk.ts'), options: ClientOptions): Client {
  const { requests, logger } = options;
  const client: Client = new sdk.Client(options.clientInfo, {
    capabilities: capabilitiesFor(requests, options.sampling),
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: options.probeTimeoutMs } },
    jsonSchemaValidator: new DefaultJsonSchemaValidator(),
    listMaxPages: MAX_LIST_PAGES,
  });
  // Some servers take a request with the id 0 for a notification.
  client['_requestMessageId'] = 1;
  client.onerror = (error) => logger.log('debug', `protocol: ${error.message}`);
  client.setNotificationHandler('notifications/message', ({ params }) => {
    const text = (): string =>
      (typeof params.data === 'string' ? params.data : JSON.stringify(params.data)).slice(0, MAX_LOG_CHARS);
    if (!logger.log(LEVELS[params.level] ?? 'info', () => `[server] ${text()}`)) return;
    const isLong = jsonWeight(params.data, MAX_LOG_CHARS) > MAX_LOG_CHARS;
    options.onLog({ ...params, ...(isLong ? { data: text() } : {}) } as JsonObject);
  });
  client.fallbackRequestHandler = async ({ method }) => {
    throw Object.assign(new Error(`This client doesn't support ${method}.`), { code: RPC_CODES.methodNotFound });
  };
  const { roots, sample, elicit, elicited } = requests;
  if (roots) {
    client.setRequestHandler('roots/list', () => ({ roots: roots(options.server).map((root) => ({ ...root })) }));
  }
  const shown = new RateLimit(options.clock, SHOWN.perSecond, SHOWN.burst);
  let open = 0;
  const ask = async (
    method: string,
    handler: NonNullable<ServerRequestPorts['sample']>,
    params: unknown,
    signal: AbortSignal,
  ): Promise<JsonObject> => {
    const isForm = handler === elicit;
    const isLong = isForm && jsonWeight(params, MAX_FORM_WEIGHT) > MAX_FORM_WEIGHT;
    if (open >= MAX_OPEN || isLong || (isForm && !shown.take())) {
      logger.log('warning', `The server asks too much: ${method} was refused.`);
      throw new RefusedRequest(method, new Error('the server asks too much at a time'));
    }
    const done = options.onWaiting();
    open += 1;
    try {
      return await handler({ server: options.server, params: (isRecord(params) ? params : {}) as JsonObject, signal });
    } catch (error) {
      throw new RefusedRequest(method, error);
    } finally {
      open -= 1;
      done();
    }
  };
  if (sample && options.sampling) {
    client.setRequestHandler('sampling/createMessage', async ({ params }, { mcpReq }) => {
      return (await ask('sampling/createMessage', sample, params, mcpReq.signal)) as never;
    });
  }
  if (elicit) {
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
      return (await ask('elicitation/create', elicit, params, mcpReq.signal)) as never;
    });
  }
  if (elicited) {
    client.setNotificationHandler('notifications/elicitation/complete', ({ params }) =>
      elicited(options.server, params.elicitationId),
    );
  }
  return client;
}

/** Declares only what has a handler. */
function capabilitiesFor(requests: ServerRequestPorts, sampling: JsonObject | undefined): ClientCapabilities {
  return {
    ...(requests.roots ? { roots: { listChanged: true } } : {}),
    ...(sampling ? { sampling } : {}),
    ...(requests.elicit ? { elicitation: { form: { applyDefaults: true }, url: {} } } : {}),
  };
}

const LEVELS: Readonly<Record<string, LogLevel>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warning',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
};

/** What is kept of what a server says of itself, in characters. */
const MAX_KEPT = { name: 256, instructions: 64 * 1024, capabilities: 64 * 1024 };

/** What the server said of itself in the handshake. */
export function readServerInfo(client: Client, link: Link): ServerInfo {
  const version = client.getServerVersion();
  const instructions = client.getInstructions();
  const capabilities = (client.getServerCapabilities() ?? {}) as JsonObject;
  return {
    name: (version?.name ?? '').slice(0, MAX_KEPT.name),
    version: (version?.version ?? '').slice(0, MAX_KEPT.name),
    protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
    era: client.getProtocolEra() ?? 'legacy',
    ...(typeof instructions === 'string' && instructions
      ? { instructions: instructions.slice(0, MAX_KEPT.instructions) }
      : {}),
    ...cleanIcons(version?.icons),
    ...(version?.websiteUrl ? { websiteUrl: version.websiteUrl.slice(0, MAX_KEPT.instructions) } : {}),
    capabilities: jsonWeight(capabilities, MAX_KEPT.capabilities) <= MAX_KEPT.capabilities ? capabilities : {},
    ...(link.pid === undefined ? {} : { pid: link.pid }),
  };
}

type Guarded = { readonly _meta?: unknown };

/** The guarded transport has cleaned the result: nothing is left to check. */
export const AS_IT_CAME: StandardSchemaV1<unknown, Guarded> = {
  '~standard': { version: 1, vendor: 'mcp-switchboard', validate: (value) => ({ value: value as Guarded }) },
};

/**
 * `tools/call` over the SDK. In the legacy era the plain request is enough: `Client.callTool` validates the result twice,
 * which is a tenth of what a call costs. The modern era needs it, for headers that repeat arguments.
 */
export function callTool(
  client: Client,
  era: 'legacy' | 'modern',
  params: { readonly name: string; readonly arguments: JsonObject; readonly _meta?: Record<string, unknown> },
  options: RequestOptions,
): Promise<Guarded> {
  if (era === 'modern') return client.callTool(params, options);
  return client.request({ method: 'tools/call', params }, AS_IT_CAME, options);
}
