import { deferred, onAbort } from '../../base/async.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { dial } from './dial.ts';
import { ConnectError } from '../connectionFailure.ts';
import type { NeedsAuthMemory } from './needsAuthMemory.ts';
import { paceFor } from '../connectionTimings.ts';
import { downloadsFirst } from './packageRunner.ts';
import type { PoolPorts } from '../poolPorts.ts';
import type { ProcessKeeper } from '../process/processGuard.ts';
import type { Run } from '../connectionRun.ts';
import type { SlotQueue } from './startQueue.ts';
import type { ConnectionTarget, Session } from '../connectionTypes.ts';
import type { Verdicts } from './eraCache.ts';

const MAX_HINT_CHARS = 80;

/** What the starts of one pool share. */
export interface StartShare {
  readonly ports: PoolPorts;
  readonly local: SlotQueue;
  readonly remote: SlotQueue;
  readonly verdicts: Verdicts;
  readonly keeper: ProcessKeeper;
  /** Without a folder of our own, nothing is remembered. */
  readonly needsAuth: NeedsAuthMemory | undefined;
  readonly fetch: typeof fetch;
  readonly loginPath: () => Promise<string | undefined>;
}

/** One attempt to connect a server. */
export interface StartOptions {
  readonly target: ConnectionTarget;
  readonly run: Run;
  readonly logger: Logger;
  /** What a slow start waits for, for people: first what kind of start it is, then what the server says on stderr. */
  onHint(hint: string): void;
  /** Takes over the session while the attempt still holds its slot. `begun`: when the attempt was let in. */
  adopt(session: Session, begun: number): Promise<void>;
}

/**
 * Resolves what is to be started, waits for a slot, and opens a session. A start that is slow gives its slot to the next.
 *
 * @throws SwitchboardError, mostly ConnectError; `needs-auth` without asking where that is known already and nobody
 * asked for the attempt
 */
export async function startServer(share: StartShare, options: StartOptions): Promise<Session> {
  const { target, run, logger } = options;
  const { ports, local, remote, verdicts, keeper, needsAuth, fetch, loginPath } = share;
  const { signal } = run.abort;
  if (run.unasked) await checkMemory(share, options);
  // It may ask a person for something, which nobody answers once it is stopped.
  const spec = await untilAborted(target.resolve(), signal);
  const downloads = downloadsFirst(spec);
  const pace = paceFor(ports.settings(), target.pace);
  const handshakeTimeoutMs =
    target.handshakeTimeoutMs ??
    Math.max(ports.settings().handshakeTimeoutMs, downloads ? pace.packageRunnerHandshakeMs : 0);
  const slot = await (spec.type === 'stdio' || spec.type === 'sdk' ? local : remote).acquire(signal);
  const hint = downloads ? 'first run: downloading' : 'slow to start';
  let isSlow = false;
  const slow = ports.clock.schedule(pace.slowStartMs, () => {
    slot.release();
    isSlow = true;
    options.onHint(hint);
  });
  try {
    const begun = ports.clock.now();
    logger.log('info', `Connecting (${spec.type}).`);
    const session = await dial(spec, {
      ports,
      server: { id: target.id, name: target.name },
      scope: target.scope,
      key: target.key,
      fetch,
      keeper,
      onStderr: (line) => {
        // While a start is slow, what the server says of it is what there is to know.
        if (isSlow && line.trim()) options.onHint(`${hint} – ${line.trim().slice(0, MAX_HINT_CHARS)}`);
      },
      loginPath,
      logger,
      verdicts,
      handshakeTimeoutMs,
      keepAliveMs: pace.keepAliveMs,
      signal,
    });
    void applyLogLevel(session, options);
    await options.adopt(session, begun);
    void needsAuth?.forget(target.key);
    return session;
  } finally {
    slow.dispose();
    slot.release();
  }
}

async function checkMemory({ needsAuth }: StartShare, { target, run }: StartOptions): Promise<void> {
  run.unasked = false;
  const message = await needsAuth?.recall(target.key);
  if (message === undefined) return;
  run.refused = true;
  throw new ConnectError('needs-auth', message, { remedy: 'Connect it to try again.' });
}

/** A server that doesn't take its level goes on as it likes: that is no reason to lose it. */
async function applyLogLevel(session: Session, { target: { logLevel }, logger }: StartOptions): Promise<void> {
  if (logLevel === undefined) return;
  await session.setLogLevel(logLevel).catch((error: unknown) => {
    logger.log('warning', `The log level ${logLevel} was not taken: ${messageOf(error)}`);
  });
}

/** The promise's value, or the signal's reason where it aborts first. The promise itself goes on. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = deferred<never>();
  const abortion = onAbort(signal, () => aborted.reject(signal.reason));
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    abortion.dispose();
  }
}
