import type { Client } from '@modelcontextprotocol/client';
import { deferred, onAbort } from '../../base/async.ts';
import { LONGEST_DELAY_MS } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { InFlight } from '../../base/inFlight.ts';
import type { JsonObject } from '../../base/json/json.ts';
import type { Logger } from '../../base/log.ts';
import { say } from '../../base/say.ts';
import type { Mask } from '../../base/text/secrets.ts';
import type { RequestAuthorization } from '../auth/requests/authorization.ts';
import { hasAuthorization } from '../auth/requests/bearer.ts';
import { InProcessLink } from '../inProcessLink.ts';
import type { Link } from '../serverLink.ts';
import type { StartStep } from '../installing/startStep.ts';
import type { StartTime } from '../installing/startTime.ts';
import { StartWatch } from '../installing/startWatch.ts';
import { explainHandshakeFailure, handshakeTimedOut } from '../handshakeFailure.ts';
import { ConnectError } from '../connectionFailure.ts';
import type { PoolPorts } from '../connectionPoolPorts.ts';
import { readStartedTree } from '../process/startedTree.ts';
import type { ProcessGuard } from '../process/processGuard.ts';
import { STOP_GRACE } from '../process/stopGrace.ts';
import type { Recorder } from '../recording/recorder.ts';
import { loggedGuard } from '../protocol/guard/guardLog.ts';
import { createClient } from '../protocol/protocolClient.ts';
import type { Renewals } from '../remote/sessionRenewals.ts';
import { pinnedFetch } from '../remote/pinnedFetch.ts';
import { pauseAll, type CallTimers } from '../session/requests/callTimer.ts';
import { ClientSession } from '../session/session.ts';
import { ServerAsks } from '../session/serverAsks.ts';
import { ThrottledLog } from '../session/throttledLog.ts';
import type { LaunchSpec } from '../stdio/spawnServer.ts';
import { StdioLink } from '../stdio/stdioLink.ts';
import type { Session } from '../connectionTypes.ts';
import type { AskingServer } from '../serverQuestionTypes.ts';
import type { PreparedLaunch } from './prepareLaunch.ts';
import type { Attempt } from './protocolFallback.ts';

type Sdk = typeof import('../protocol/sdk.ts');

export interface OpenSessionOptions {
  readonly ports: PoolPorts;
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
  /** How long the server may take to say which protocol era it speaks. */
  readonly probeTimeoutMs: number;
  /** The time of all attempts. */
  readonly time: StartTime;
  /** From then on, any start is looked at. */
  readonly slowStartMs: number;
  readonly onStep: (step: StartStep) => void;
  readonly signal: AbortSignal;
}

/** The SDK's own limits are out of the way: a start's time counts, with what it stands still for. */
const NO_LIMIT_MS = LONGEST_DELAY_MS;
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
  const timers: CallTimers = new InFlight();
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
  const guardOptions = loggedGuard(leftOut, { logger, mask, clock, tap });
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

/**
 * Shakes hands over the link, within the time that a start may take. A function of its own so that the session, whose functions hold all
 * that those beside them use, doesn't hold what its start needed.
 *
 * @throws ConnectError
 */
async function shakeHands(
  sdk: Sdk,
  client: Client,
  link: Link,
  launch: PreparedLaunch,
  attempt: Attempt,
  options: OpenSessionOptions,
): Promise<void> {
  const { time, probeTimeoutMs, signal } = options;
  const aborted = deferred<never>();
  aborted.promise.catch(() => undefined);
  const starting = new DisposableStore();
  starting.add(
    onAbort(signal, () => aborted.reject(new ConnectError('not-connected', say`Stopped while connecting.`))),
  );
  const watch = launch.type === 'process' ? starting.add(watchStart(link, launch.launch, options)) : undefined;
  if (watch) starting.add(time.limit('handshake', probeTimeoutMs, () => link.transport.giveUpProbe()));
  try {
    const connecting = client.connect(link.transport, {
      timeout: NO_LIMIT_MS,
      ...(attempt.era === 'legacy' ? { prior: { kind: 'legacy' } } : {}),
    });
    // After a time-out or an abort nobody waits for it.
    connecting.catch(() => undefined);
    const over = await Promise.race([connecting.then(() => undefined), aborted.promise, time.over]);
    if (over !== undefined) throw handshakeTimedOut(over, link, watch, time);
    if (link.lost) throw new ConnectError(link.lost.code, link.lost.message, { stderrTail: link.lost.stderrTail });
    link.opened?.();
  } catch (error) {
    throw await explainHandshakeFailure(sdk, link, watch, error, options.ports.clock);
  } finally {
    starting.dispose();
  }
}

/** Watches what a process does until it answers. */
function watchStart(link: Link, { command, args }: LaunchSpec, options: OpenSessionOptions): StartWatch {
  const { ports, time, slowStartMs, onStep } = options;
  const { clock, platform } = ports;
  return new StartWatch({
    clock,
    time,
    slowStartMs,
    onStep,
    command: [command, ...args],
    isCostly: platform === 'win32',
    readTree: ports.readStartedTree ?? ((leader) => readStartedTree(platform, leader)),
    pid: () => link.pid,
    lines: () => link.stderrLines?.() ?? [],
  });
}
