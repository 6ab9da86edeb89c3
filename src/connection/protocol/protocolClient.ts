import type { Client, ClientCapabilities, ClientContext, StandardSchemaV1 } from '@modelcontextprotocol/client';
import { isRecord, type JsonObject } from '../../base/json/json.ts';
import type { LogLevel } from '../../base/log.ts';
import { jsonWeight } from '../../base/json/jsonWeight.ts';
import type { ServerInfo } from '../connectionTypes.ts';
import type { AskingServer, ServerQuestion, ServerRequestPorts } from '../serverQuestionTypes.ts';
import type { Link } from '../serverLink.ts';
import type { ServerAsks } from '../session/serverAsks.ts';
import type { ThrottledLog } from '../session/throttledLog.ts';
import { cleanIcons } from '../cleaning/cleanIcons.ts';
import { DefaultJsonSchemaValidator } from './sdkShims.ts';
import type { GuardedTransport } from './guard/guardedTransport.ts';
import { declaredOf, type FewerCapabilities } from './refusedCapabilities.ts';
import { LEGACY_VERSIONS } from './legacyVersions.ts';
import { RPC_CODES } from './rpcCodes.ts';
import { RefusedRequest } from '../session/requests/requestFailure.ts';
import { TASKS_EXTENSION } from './tasksExtension.ts';

export interface ClientOptions {
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly server: AskingServer;
  readonly requests: ServerRequestPorts;
  /** The `sampling` capability, where there is one. */
  readonly sampling: JsonObject | undefined;
  readonly logger: ThrottledLog;
  readonly probeTimeoutMs: number;
  /** The version that `initialize` offers; the newest if absent. */
  readonly version: string | undefined;
  /** What is declared of the capabilities; all if absent. */
  readonly capabilities: FewerCapabilities | undefined;
  readonly asks: ServerAsks;
  /** An entry of the server's log, as it sent it. */
  onLog(params: JsonObject): void;
}

/** A list with more pages is taken to be endless. */
export const MAX_LIST_PAGES = 500;
/** A log message of a server may be anything. */
const MAX_LOG_CHARS = 2000;
/** A client of the SDK that answers requests of the server (roots, sampling, elicitation, ping) and takes its log. */
export function createClient(sdk: typeof import('./sdk.ts'), options: ClientOptions): Client {
  const { logger, asks, version } = options;
  const capabilities = declaredOf(capabilitiesFor(options.requests, options.sampling), options.capabilities);
  const { roots, sample, elicit, elicited } = options.capabilities === 'none' ? {} : options.requests;
  const client: Client = new sdk.Client(options.clientInfo, {
    capabilities,
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: options.probeTimeoutMs } },
    jsonSchemaValidator: new DefaultJsonSchemaValidator(),
    listMaxPages: MAX_LIST_PAGES,
    // The first one is offered.
    ...(version === undefined
      ? {}
      : { supportedProtocolVersions: [version, ...LEGACY_VERSIONS.filter((each) => each !== version)] }),
  });
  // Some servers take a request with the id 0 for a notification.
  client['_requestMessageId'] = 1;
  sayTimeOuts(client);
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
  // A server of 2026-07-28 only asks within a request, and calls each question something there.
  const aboutOf = ({
    id,
    signal,
  }: Pick<ClientContext['mcpReq'], 'id' | 'signal'>): Pick<ServerQuestion, 'signal' | 'key'> =>
    client.getProtocolEra() === 'modern' ? { signal, key: String(id) } : { signal };
  if (roots) {
    client.setRequestHandler('roots/list', async (_request, { mcpReq }) => ({
      roots: (await roots({ server: options.server, params: {}, ...aboutOf(mcpReq) })).map((root) => ({ ...root })),
    }));
  }
  if (sample && options.sampling) {
    client.setRequestHandler('sampling/createMessage', async ({ params }, { mcpReq }) => {
      return (await asks.sample(params, aboutOf(mcpReq))) as never;
    });
  }
  if (elicit) {
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
      return (await asks.elicit(params, aboutOf(mcpReq))) as never;
    });
  }
  if (elicited) {
    client.setNotificationHandler('notifications/elicitation/complete', ({ params }) =>
      elicited(options.server, params.elicitationId),
    );
  }
  return client;
}

type BeginTimeOut = (
  id: number,
  ms: number,
  mostMs: number | undefined,
  onTimeout: () => void,
  restarts: boolean,
) => void;

/** Tells the transport when the SDK cancels a request because its time is over: over HTTP in the modern era, nothing else says so. */
function sayTimeOuts(client: Client): void {
  const begin = client['_setupTimeout'].bind(client) as BeginTimeOut;
  client['_setupTimeout'] = (...[id, timeoutMs, mostMs, onTimeout, restarts]: Parameters<BeginTimeOut>): void => {
    const guarded = client.transport as Partial<Pick<GuardedTransport, 'timeOut'>> | undefined;
    begin(id, timeoutMs, mostMs, () => (guarded?.timeOut ? guarded.timeOut(onTimeout) : onTimeout()), restarts);
  };
}

/** Declares only what has a handler, or is shown elsewhere. */
function capabilitiesFor(requests: ServerRequestPorts, sampling: JsonObject | undefined): ClientCapabilities {
  return {
    ...(requests.roots ? { roots: { listChanged: true } } : {}),
    ...(sampling ? { sampling } : {}),
    ...(requests.elicit ? { elicitation: { form: { applyDefaults: true }, url: {} } } : {}),
    extensions: { ...requests.extensions, [TASKS_EXTENSION]: {} },
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
    transport: link.kind,
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

/** What a server can need of a client within a request or a task (specification 2026-07-28). */
const INPUTS: ReadonlySet<unknown> = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list']);

/**
 * Answers what a server needs as if it had requested it: by the same handler, so with the same questions.
 * @param request as the server sent it: a method and its parameters
 * @returns the result as the protocol has it
 * @throws RefusedRequest, or what the handler throws
 */
export async function answerInput(
  client: Client,
  key: string,
  request: unknown,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { method, params } = isRecord(request) ? request : {};
  const handler = INPUTS.has(method) ? client['_getRequestHandler'](method as string) : undefined;
  if (!handler) throw new RefusedRequest(String(method), new Error('the client does not support it'));
  const asked = { jsonrpc: '2.0' as const, id: key, method: method as string, ...(isRecord(params) ? { params } : {}) };
  return (await handler(asked, { mcpReq: { id: key, method, signal } } as never)) as JsonObject;
}
