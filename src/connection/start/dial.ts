import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { firstAttempt, nextAttempt, type Attempt } from './dialPlan.ts';
import { ConnectError } from '../connectionFailure.ts';
import { gather, openLink, type GatherContext } from './openLink.ts';
import { openSession } from './handshake.ts';
import { downloadsFirst } from './packageRunner.ts';
import type { ConnectionSpec, Session } from '../connectionTypes.ts';
import type { Verdicts } from './eraCache.ts';

export interface DialOptions extends GatherContext {
  readonly server: { readonly id: string; readonly name: string };
  /** What the server is remembered by. */
  readonly key: string;
  readonly logger: Logger;
  readonly verdicts: Verdicts;
  readonly handshakeTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly signal: AbortSignal;
}

/** How long a server may take to say whether it knows the question for its era; afterwards it is taken not to. */
const PROBE_MS = { stdio: 4000, stdioPackageRunner: 10_000, remote: 10_000 };

/**
 * Connects to a server: picks the transport by its type and tries what `dialPlan` says, all within one handshake
 * time-out, beginning with what worked last.
 *
 * @throws SwitchboardError, mostly ConnectError
 */
export async function dial(spec: ConnectionSpec, options: DialOptions): Promise<Session> {
  const { ports, logger, verdicts, key } = options;
  const [sdk, first] = await Promise.all([import('../protocol/sdk.ts'), gather(spec, options)]);
  const deadline = ports.clock.now() + options.handshakeTimeoutMs;
  const recalled = verdicts.recall(key);
  let ready = first;
  let renewed = false;
  let attempt: Attempt = recalled ?? firstAttempt(spec);
  for (;;) {
    const leftOut: string[] = [];
    const link = openLink(sdk, ready, attempt, leftOut, options);
    try {
      const session = await openSession(sdk, link, {
        clientInfo: ports.clientInfo,
        server: options.server,
        requests: ports.requests ?? {},
        clock: ports.clock,
        logger,
        ...(attempt.era === 'legacy' ? { prior: { kind: 'legacy' } } : {}),
        probeTimeoutMs: probeTimeoutOf(spec, options.handshakeTimeoutMs),
        handshakeTimeoutMs: options.handshakeTimeoutMs,
        keepAliveMs: options.keepAliveMs,
        timeoutMs: Math.max(1, deadline - ports.clock.now()),
        signal: options.signal,
        leftOut,
      });
      // A download may have taken longer than the question for the era waited: that says nothing about the server.
      if (!downloadsFirst(spec)) await verdicts.note(key, attempt.transport, session.info.era);
      return session;
    } catch (error) {
      if (!(error instanceof ConnectError) || options.signal.aborted || ports.clock.now() >= deadline) throw error;
      let next: Attempt | undefined;
      if (error.code === 'needs-auth' && ready.type === 'remote' && ready.renewable && !renewed) {
        renewed = true;
        ready = await gather(spec, options);
        next = attempt;
      } else if (attempt === recalled && isOfTheServer(error)) {
        await verdicts.forget(key);
        next = firstAttempt(spec);
      } else {
        next = nextAttempt(spec.type, attempt, error);
      }
      if (!next) throw error;
      logger.log('debug', `${messageOf(error)} Trying ${next.transport}, ${next.era}.`);
      attempt = next;
    }
  }
}

/** The server answered, but not as one that speaks what it spoke last. */
function isOfTheServer(error: ConnectError): boolean {
  return error.code === 'handshake-failed' || (error.code === 'http-status' && (error.status ?? 500) < 500);
}

/** Leaves at least a third of the handshake for what follows. */
function probeTimeoutOf(spec: ConnectionSpec, handshakeTimeoutMs: number): number {
  const local = downloadsFirst(spec) ? PROBE_MS.stdioPackageRunner : PROBE_MS.stdio;
  return Math.min(spec.type === 'stdio' ? local : PROBE_MS.remote, Math.floor((handshakeTimeoutMs * 2) / 3));
}
