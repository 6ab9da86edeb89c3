import { join } from 'node:path';
import { deferred, onAbort } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { SecretValues } from '../../base/text/secrets.ts';
import { nextTurn } from '../../base/timeSlices.ts';
import { MemoryStore } from '../../base/keyValueStore.ts';
import { namedValuesOf } from '../../config/variables/namedValues.ts';
import { hasAuthorization } from '../auth/requests/bearer.ts';
import { ConnectError } from '../connectionFailure.ts';
import type { ConnectionAttempts } from '../connectionAttempts.ts';
import { timingsFor } from '../connectionTimings.ts';
import type { ConnectionSpec, ConnectionTarget, Session } from '../connectionTypes.ts';
import type { PoolPorts } from '../connectionPoolPorts.ts';
import { startsInstalling } from '../installing/processRole.ts';
import type { StartStep } from '../installing/startStep.ts';
import { StartTime } from '../installing/startTime.ts';
import { ProcessGuard } from '../process/processGuard.ts';
import { fetchWithoutTimeout } from '../remote/fetchWithoutTimeout.ts';
import { Renewals } from '../remote/sessionRenewals.ts';
import { EraCache } from './eraCache.ts';
import { LoginShell } from './loginShell.ts';
import { NeedsAuthMemory } from './needsAuthMemory.ts';
import { openSession } from './openSession.ts';
import { NeutralFolders } from './neutralFolders.ts';
import { prepareLaunch } from './prepareLaunch.ts';
import { firstAttempt, isAnswer, nextAttempt, probeTimeoutMs, type Attempt } from './protocolFallback.ts';
import { StartQueue } from './startQueue.ts';
import { say } from '../../base/say.ts';

const MAX_HINT_CHARS = 80;

/** One start of a server. */
export interface StartOptions {
  readonly target: ConnectionTarget;
  readonly attempts: ConnectionAttempts;
  readonly logger: Logger;
  /** Says what a slow start waits for: the last line on stderr. */
  onHint(hint: string): void;
  /** Where a start that takes long is: whether its server is being fetched or built. */
  onStep(step: StartStep): void;
  /** Takes over the session while the start still holds its slot. `begun`: when it got the slot. */
  adopt(session: Session, begun: number): Promise<void>;
}

/** What `#connect` needs beside the options. */
interface ConnectOptions {
  readonly handshakeTimeoutMs: number;
  readonly installTimeoutMs: number;
  readonly slowStartMs: number;
  readonly keepAliveMs: number;
  onStderr(line: string): void;
}

/**
 * Starts the servers of one pool, a few at a time. Loaded with the first start: activation needs nothing that opens a
 * connection.
 */
export class Starter implements Disposable {
  /** Without a state folder, nothing is remembered. */
  readonly needsAuth: NeedsAuthMemory | undefined;
  readonly #ports: PoolPorts;
  readonly #local: StartQueue;
  readonly #remote: StartQueue;
  readonly #eras: EraCache;
  readonly #guard: ProcessGuard;
  readonly #folders: NeutralFolders;
  readonly #secrets = new Map<string, SecretValues>();
  readonly #renewals = new Map<string, Renewals>();
  readonly #fetch: typeof fetch;
  readonly #loginPath: () => Promise<string | undefined>;

  constructor(ports: PoolPorts) {
    const { clock, platform, stateDir } = ports;
    this.#ports = ports;
    this.#local = new StartQueue(() => ports.settings().localConcurrency);
    this.#remote = new StartQueue(() => ports.settings().remoteConcurrency);
    this.#eras = new EraCache(ports.store ?? new MemoryStore(), clock);
    this.#guard = new ProcessGuard(platform, clock, stateDir);
    this.#folders = new NeutralFolders(stateDir);
    if (stateDir !== undefined) {
      const rememberedMs = (): number => timingsFor(ports.settings()).needsAuthMemoryMs;
      this.needsAuth = new NeedsAuthMemory(join(stateDir, 'needs-auth.json'), clock, platform, rememberedMs);
    }
    this.#fetch = fetchWithoutTimeout(ports.fetch);
    const shell = new LoginShell(ports);
    this.#loginPath = ports.loginPath ?? (() => shell.path());
  }

  /**
   * Resolves what to start, waits for a slot and opens a session. A slow start releases its slot early.
   *
   * @throws SwitchboardError, mostly ConnectError; `needs-auth` without asking the server where it refused a short while
   * ago and nobody asked for this start
   */
  async start(options: StartOptions): Promise<Session> {
    const { target, attempts, logger } = options;
    const { clock } = this.#ports;
    const settings = this.#ports.settings();
    const { signal } = attempts.abort;
    if (attempts.isAutomatic) await this.#checkNeedsAuth(options);
    // It may ask the user, who doesn't answer once the start is stopped.
    const spec = await untilAborted(target.resolve(), signal);
    const timings = timingsFor(settings, target.timings);
    const queue = spec.type === 'stdio' || spec.type === 'sdk' ? this.#local : this.#remote;
    const slot = await queue.acquire(signal);
    const hint = say`slow to start`;
    let isSlow = false;
    const slow = clock.schedule(timings.slowStartMs, () => {
      slot.release();
      isSlow = true;
      options.onHint(hint);
    });
    try {
      const begun = clock.now();
      logger.log('info', `Connecting (${spec.type}).`);
      const session = await this.#connect(spec, options, {
        handshakeTimeoutMs: target.handshakeTimeoutMs ?? settings.handshakeTimeoutMs,
        installTimeoutMs: timings.installMs,
        slowStartMs: timings.slowStartMs,
        keepAliveMs: timings.keepAliveMs,
        onStderr: (line) => {
          if (isSlow && line.trim()) options.onHint(`${hint} – ${line.trim().slice(0, MAX_HINT_CHARS)}`);
        },
      });
      void applyLogLevel(session, options);
      await options.adopt(session, begun);
      void this.needsAuth?.forget(target.key);
      return session;
    } finally {
      slow.dispose();
      slot.release();
    }
  }

  /** What must not be seen in texts of a server, known when it starts. Also what it was given before. */
  secretsOf(serverId: string): SecretValues {
    const secrets = this.#secrets.get(serverId) ?? new SecretValues();
    this.#secrets.set(serverId, secrets);
    return secrets;
  }

  dispose(): void {
    this.#guard.dispose();
    this.#folders.dispose();
  }

  /**
   * Prepares the launch and opens a session, beginning with what worked last and falling back as `nextAttempt` says, all
   * within one time-out for installing and one for the handshake.
   */
  async #connect(spec: ConnectionSpec, options: StartOptions, connect: ConnectOptions): Promise<Session> {
    const ports = this.#ports;
    const { target, logger } = options;
    const { key, scope } = target;
    const { signal } = options.attempts.abort;
    const { handshakeTimeoutMs } = connect;
    const secrets = this.secretsOf(target.id);
    if (spec.type !== 'sdk') for (const [name, value] of namedValuesOf(spec)) secrets.add(name, value);
    const renewals = this.#renewals.get(target.id) ?? new Renewals(ports.clock);
    this.#renewals.set(target.id, renewals);
    const common = { ports, renewals, guard: this.#guard, fetch: this.#fetch, logger, signal, mask: secrets.mask };
    const prepare = (): ReturnType<typeof prepareLaunch> =>
      prepareLaunch(spec, {
        ports,
        scope,
        guard: this.#guard,
        secrets,
        neutralFolder: () => this.#folders.for(target.id),
        loginPath: this.#loginPath,
      });
    const [sdk, first] = await Promise.all([loadSdk(), prepare()]);
    const recorder = await ports.recorder?.();
    const isFree = first.type === 'remote' && !hasAuthorization(first.headers);
    const authorization = isFree ? await target.authorization?.(spec) : undefined;
    // The editor takes up to a second to write what it knows at once, and a start doesn't wait for that.
    const written = (writing: Promise<void>): void =>
      void writing.catch((error: unknown) => logger.log('debug', `The era isn’t remembered: ${messageOf(error)}`));
    const installs = startsInstalling(spec);
    const limits = { installing: connect.installTimeoutMs, handshake: handshakeTimeoutMs };
    const time = new StartTime(ports.clock, installs ? 'installing' : 'handshake', limits);
    const recalled = this.#eras.recall(key);
    let launch = first;
    let attempt: Attempt = recalled ?? firstAttempt(spec);
    try {
      for (;;) {
        try {
          const session = await openSession(sdk, launch, attempt, {
            ...common,
            ...connect,
            server: { id: target.id, name: target.name },
            recorder,
            authorization,
            addSecret: (name, value) => secrets.add(name, value),
            probeTimeoutMs: probeTimeoutMs(spec, handshakeTimeoutMs),
            time,
            onStep: (step) => options.onStep(step),
          });
          // What is fetched may be slow at its first start, which says nothing about the server.
          if (!installs) written(this.#eras.note(key, attempt, session.info.era));
          return session;
        } catch (error) {
          if (!(error instanceof ConnectError) || signal.aborted || time.isOver) throw error;
          let next: Attempt | undefined;
          if (error.code === 'needs-auth' && launch === first && launch.type === 'remote' && launch.renewable) {
            launch = await prepare();
            next = attempt;
          } else if (attempt === recalled && isAnswer(error)) {
            written(this.#eras.forget(key));
            next = firstAttempt(spec);
          } else {
            next = nextAttempt(spec.type, attempt, error);
          }
          if (!next) throw error;
          // A process writes on stderr again: the log says why.
          const [level, what] = spec.type === 'stdio' ? (['info', 'Starting it again with'] as const) : (['debug', 'Trying'] as const); // prettier-ignore
          const how = [
            next.transport,
            next.era,
            next.version,
            next.capabilities && `capabilities: ${next.capabilities}`,
          ];
          logger.log(level, `${messageOf(error)} ${what} ${how.filter(Boolean).join(', ')}.`);
          attempt = next;
        }
      }
    } finally {
      time.dispose();
    }
  }

  async #checkNeedsAuth({ target, attempts }: StartOptions): Promise<void> {
    attempts.isAutomatic = false;
    const message = await this.needsAuth?.recall(target.key);
    if (message === undefined || (await target.isSignedIn?.())) return;
    attempts.refused = true;
    const canSignIn = target.authorization !== undefined;
    const remedy = canSignIn ? say`Sign in.` : say`Connect it to try again.`;
    throw new ConnectError('needs-auth', message, { remedy, canSignIn });
  }
}

/** In a slice of its own: it is the largest file of all. */
async function loadSdk(): Promise<typeof import('../protocol/sdk.ts')> {
  await nextTurn();
  return import('../protocol/sdk.ts');
}

/** A server that doesn't accept its log level stays connected. */
async function applyLogLevel(session: Session, { target: { logLevel }, logger }: StartOptions): Promise<void> {
  if (logLevel === undefined) return;
  await session.setLogLevel(logLevel).catch((error: unknown) => {
    logger.log('warning', `The server refused the log level ${logLevel}: ${messageOf(error)}`);
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
