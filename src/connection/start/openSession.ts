import type { JsonObject } from '../../base/json/json.ts';
import type { Logger } from '../../base/log.ts';
import type { Mask } from '../../base/text/secrets.ts';
import type { RequestAuthorization } from '../auth/requests/authorization.ts';
import { hasAuthorization } from '../auth/requests/bearer.ts';
import { InProcessLink } from '../inProcessLink.ts';
import type { Link } from '../serverLink.ts';
import { NO_LIMIT_MS, shakeHands, type HandshakeOptions } from '../installing/shakeHands.ts';
import type { ProcessGuard } from '../process/processGuard.ts';
import { STOP_GRACE } from '../connectionTimings.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { GuardOptions } from '../protocol/guard/guardedTransport.ts';
import { createClient } from '../protocol/protocolClient.ts';
import { Tolerances } from '../protocol/guard/tolerances.ts';
import type { Renewals } from '../remote/sessionRenewals.ts';
import { pinnedFetch } from '../remote/pinnedFetch.ts';
import { pauseAll, type CallTimer } from '../session/requests/callTimer.ts';
import { ClientSession } from '../session/session.ts';
import { ServerAsks } from '../session/serverAsks.ts';
import { ThrottledLog } from '../session/throttledLog.ts';
import { StdioLink } from '../stdio/stdioLink.ts';
import type { Session } from '../connectionTypes.ts';
import type { AskingServer } from '../serverQuestionTypes.ts';
import type { PreparedLaunch } from './prepareLaunch.ts';
import type { Attempt } from './protocolFallback.ts';

type Sdk = typeof import('../protocol/sdk.ts');

export interface OpenSessionOptions extends HandshakeOptions {
  readonly server: AskingServer;
  readonly logger: Logger;
  readonly mask: Mask;
  readonly fetch: typeof fetch;
  readonly guard: ProcessGuard;
  /** Receives each line that a local server writes on stderr. */
  readonly onStderr: (line: string) => void;
  readonly keepAliveMs: number;
  readonly renewals: Renewals;
  /** Of a remote server whose definition leaves that to a sign-in. */
  readonly authorization?: RequestAuthorization | undefined;
  readonly addSecret: (name: string, value: string) => void;
  readonly recorder?: Recorder | undefined;
}

/** How much is said of what a list leaves out. */
const MAX_LEFT_OUT = 200;
/** How much of an unknown id is logged. */
const MAX_ID_CHARS = 100;
/** The URL that a server in this process sees. */
const IN_PROCESS_URL = 'http://in-process.invalid/mcp';

/**
 * Opens the link that `attempt` names, shakes hands over it, and returns the session. When that fails, the link is
 * stopped before this throws.
 *
 * @throws ConnectError
 */
export async function openSession(
  sdk: Sdk,
  launch: PreparedLaunch,
  attempt: Attempt,
  options: OpenSessionOptions,
): Promise<Session> {
  const { server, mask, keepAliveMs, authorization, addSecret } = options;
  const { clock, clientInfo, requests = {} } = options.ports;
  const leftOut: string[] = [];
  const logger = new ThrottledLog(options.logger, clock);
  const timers = new Set<CallTimer>();
  const onWaiting = (): (() => void) => pauseAll(timers);
  const plain = fetchFor(launch, options.fetch);
  const authorize = (inner: typeof plain): typeof plain =>
    authorization?.around(inner, { onWaiting, addSecret }) ?? inner;
  const link = await openLink(sdk, launch, attempt.transport, leftOut, { ...options, logger, fetch: plain, authorize });
  // A process starts meanwhile.
  const sampling = requests.sample && (await (requests.samplingFor?.(server) ?? {}));
  let onLog: ((params: JsonObject) => void) | undefined;
  const asks = new ServerAsks({ server, requests, clock, logger, mask, onWaiting });
  const client = createClient(sdk, {
    clientInfo,
    server,
    requests,
    sampling,
    logger,
    asks,
    version: attempt.version,
    capabilities: attempt.capabilities,
    probeTimeoutMs: launch.type === 'process' ? NO_LIMIT_MS : options.probeTimeoutMs,
    onLog: (params) => onLog?.(params),
  });
  try {
    await shakeHands(sdk, client, link, launch, attempt, options);
    return new ClientSession(sdk, client, link, timers, {
      requests,
      asks,
      clock,
      logger,
      mask,
      leftOut,
      keepAliveMs,
      onLog: (listener) => (onLog = listener),
    });
  } catch (error) {
    await link.stop(STOP_GRACE.failedHandshake);
    link.dispose();
    logger.dispose();
    throw error;
  }
}

/** Of a server whose certificate the definition gives. */
function fetchFor(launch: PreparedLaunch, fetch: OpenSessionOptions['fetch']): OpenSessionOptions['fetch'] {
  if (launch.type !== 'remote' || launch.fingerprint === undefined) return fetch;
  return pinnedFetch(fetch, launch.url, launch.fingerprint);
}

interface OpenLinkOptions extends OpenSessionOptions {
  readonly authorize: (inner: typeof fetch) => typeof fetch;
}

/** What only remote servers need is loaded with the first of them. @param leftOut receives what the guard leaves out of lists of tools */
async function openLink(
  sdk: Sdk,
  launch: PreparedLaunch,
  transport: Attempt['transport'],
  leftOut: string[],
  {
    ports,
    server: { id },
    logger,
    mask,
    guard,
    fetch,
    renewals,
    authorization,
    authorize,
    recorder,
    onStderr: tellStderr,
  }: OpenLinkOptions,
): Promise<Link> {
  const { clock, platform } = ports;
  const tap = recorder?.openLink(id, mask);
  const onStderr = (line: string): void => {
    tap?.stderr(line);
    tellStderr(line);
  };
  const tolerances = new Tolerances((level, message) => logger.log(level, message));
  const said = new Set<string>();
  // Lists of items are fetched again and again.
  const sayOnce = (sentences: readonly string[]): void => {
    for (const sentence of sentences.filter((each) => !said.has(each) && said.size < MAX_LEFT_OUT)) {
      said.add(sentence);
      logger.log('warning', `Left out. ${sentence}`);
    }
  };
  const guardOptions: GuardOptions = {
    mask,
    onLeftOut: (sentences, method) => {
      if (method === 'tools/list') leftOut.push(...sentences.slice(0, Math.max(0, MAX_LEFT_OUT - leftOut.length)));
      else sayOnce(sentences);
    },
    tolerate: tolerances.note,
    onUnexpectedAnswer: (id) => {
      const shown =
        typeof id === 'string' ? JSON.stringify(id.slice(0, MAX_ID_CHARS)) : typeof id === 'number' ? id : 'null';
      logger.log('debug', `The server answered the unknown request ${shown}.`);
    },
    onFlood: (what) => logger.log('warning', `The server sends too many ${what}. Those over the limit are ignored.`),
    tap,
    clock,
  };
  const common = { clock, logger, guardOptions };
  switch (launch.type) {
    case 'process':
      return new StdioLink({ ...common, launch: launch.launch, platform, guard, mask, onStderr });
    case 'in-process': {
      const { server } = launch;
      if (server.kind === 'transport')
        return new InProcessLink(() => sdk.InMemoryTransport.createLinkedPair(), server, guardOptions);
      const serve: typeof fetch = (input, init) => server.fetch(new Request(input, init));
      const address = { url: IN_PROCESS_URL, headers: {}, renewable: false, renewals };
      const { HttpLink } = await import('../remote/httpLink.ts');
      return new HttpLink({ ...common, ...address, sdk, kind: 'http', fetch: serve });
    }
    case 'remote': {
      const { url, headers, renewable } = launch;
      const authorizedBy = authorization ? 'account' : hasAuthorization(headers) ? 'definition' : undefined;
      const address = { url, headers, authorizedBy } as const;
      if (transport === 'ws') {
        const { WebSocketLink } = await import('../remote/webSocket/webSocketLink.ts');
        return new WebSocketLink({ ...common, ...address, authorize });
      }
      const kind = transport === 'sse' ? 'sse' : 'http';
      const http = { sdk, kind, fetch: authorize(fetch), authorization, renewable, renewals } as const;
      const { HttpLink } = await import('../remote/httpLink.ts');
      return new HttpLink({ ...common, ...address, ...http });
    }
  }
}
