import type { PriorDiscovery } from '@modelcontextprotocol/client';
import { deferred, onAbort, withTimeout } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/log.ts';
import { pauseAll, type CallTimer } from '../session/callTimer.ts';
import { ConnectError } from '../connectionFailure.ts';
import { exitNews, type Link } from '../link.ts';
import { createClient } from '../protocol/protocolClient.ts';
import { ClientSession } from '../session/session.ts';
import type { AskingServer, Session, ServerRequestPorts } from '../connectionTypes.ts';
import { STOP_GRACE } from '../process/stopGrace.ts';

type Sdk = typeof import('../protocol/sdk.ts');

export interface OpenOptions {
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly server: AskingServer;
  readonly requests: ServerRequestPorts;
  readonly clock: Clock;
  readonly logger: Logger;
  /** `undefined`: ask the server which protocol era it speaks. */
  readonly prior?: PriorDiscovery;
  readonly probeTimeoutMs: number;
  /** What is left for this attempt. */
  readonly timeoutMs: number;
  /** What there was for the whole handshake, for the message. */
  readonly handshakeTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly signal: AbortSignal;
  /** What was left out of the list that is being fetched; emptied when a new one is begun. */
  readonly leftOut: string[];
}

/**
 * Makes the handshake over `link` and gives the session. When that fails, `link` is stopped, and nothing of it is left
 * when this throws.
 *
 * @throws ConnectError
 */
export async function openSession(sdk: Sdk, link: Link, options: OpenOptions): Promise<Session> {
  const timers = new Set<CallTimer>();
  const { requests } = options;
  // A server starts meanwhile.
  const sampling = requests.sample && (await (requests.samplingFor?.(options.server) ?? {}));
  let tellLog: ((params: JsonObject) => void) | undefined;
  const client = createClient(sdk, {
    ...options,
    sampling,
    onWaiting: () => pauseAll(timers),
    onLog: (params) => tellLog?.(params),
  });
  const aborted = deferred<never>();
  aborted.promise.catch(() => undefined);
  const abortion = onAbort(options.signal, () =>
    aborted.reject(new ConnectError('not-connected', 'Stopped while connecting.')),
  );
  try {
    const connecting = client.connect(link.transport, {
      timeout: options.timeoutMs,
      ...(options.prior ? { prior: options.prior } : {}),
    });
    // Its failure after a time-out or an abort is nobody's concern any more.
    connecting.catch(() => undefined);
    await withTimeout(Promise.race([connecting, aborted.promise]), options.timeoutMs, options.clock, () => {
      throw timedOut(link, options);
    });
    if (link.lost) throw new ConnectError(link.lost.code, link.lost.message, { stderrTail: link.lost.stderrTail });
    link.opened?.();
    return new ClientSession(sdk, client, link, timers, { ...options, onLog: (listener) => (tellLog = listener) });
  } catch (error) {
    const explained = await explainOpening(sdk, link, error, options);
    await link.stop(STOP_GRACE.failedHandshake);
    link.dispose();
    throw explained;
  } finally {
    abortion.dispose();
  }
}

async function explainOpening(sdk: Sdk, link: Link, error: unknown, options: OpenOptions): Promise<ConnectError> {
  if (error instanceof ConnectError) return error;
  const fault = sdk.classifySdkError(error);
  if (fault.kind === 'timeout') return timedOut(link, options, error);
  await exitNews(link, options.clock);
  return link.explainHandshake(fault, error);
}

function timedOut(link: Link, options: OpenOptions, cause?: unknown): ConnectError {
  const limit = options.handshakeTimeoutMs / 1000;
  return new ConnectError('handshake-timeout', `The server didn't finish the handshake within ${limit} s.`, {
    remedy: 'See its log; a longer time-out can be set.',
    cause,
    stderrTail: link.stderrTail(),
  });
}
