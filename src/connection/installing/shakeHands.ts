import type { Client } from '@modelcontextprotocol/client';
import { deferred, onAbort } from '../../base/async.ts';
import { LONGEST_DELAY_MS } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { say } from '../../base/say.ts';
import { ConnectError } from '../connectionFailure.ts';
import type { PoolPorts } from '../connectionPoolPorts.ts';
import { readStartedTree } from '../process/startedTree.ts';
import { explainHandshakeFailure, handshakeTimedOut } from '../handshakeFailure.ts';
import type { Link } from '../serverLink.ts';
import type { PreparedLaunch } from '../start/prepareLaunch.ts';
import type { Attempt } from '../start/protocolFallback.ts';
import type { LaunchSpec } from '../stdio/spawnServer.ts';
import type { StartStep } from './startStep.ts';
import type { StartTime } from './startTime.ts';
import { StartWatch } from './startWatch.ts';

type Sdk = typeof import('../protocol/sdk.ts');

/** The SDK's own limits are out of the way: a start's time counts, with what it stands still for. */
export const NO_LIMIT_MS = LONGEST_DELAY_MS;

/** How long a handshake may take, and who is told of it. */
export interface HandshakeOptions {
  readonly ports: PoolPorts;
  /** How long the server may take to say which protocol era it speaks. */
  readonly probeTimeoutMs: number;
  /** The time of all attempts. */
  readonly time: StartTime;
  /** From then on, any start is looked at. */
  readonly slowStartMs: number;
  readonly onStep: (step: StartStep) => void;
  readonly signal: AbortSignal;
}

/**
 * Shakes hands over the link, within the time that a start may take. It stands alone so that the session, whose functions hold all that
 * those beside them use, doesn't hold what its start needed.
 *
 * @throws ConnectError
 */
export async function shakeHands(
  sdk: Sdk,
  client: Client,
  link: Link,
  launch: PreparedLaunch,
  attempt: Attempt,
  options: HandshakeOptions,
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
function watchStart(link: Link, { command, args }: LaunchSpec, options: HandshakeOptions): StartWatch {
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
