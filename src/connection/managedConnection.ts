import { deferred } from '../base/async.ts';
import type { Disposable } from '../base/disposable.ts';
import { SwitchboardError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Mask } from '../base/text/secrets.ts';
import { asSwitchboardError, ConnectError, maskedFailure, toFailure } from './connectionFailure.ts';
import { ConnectionAttempts } from './connectionAttempts.ts';
import { type ConnectionEvent, isStarting, StateKeeper } from './connectionState.ts';
import type {
  ConnectionFailure,
  ConnectionState,
  ConnectionTarget,
  McpTool,
  ServerConnection,
  Session,
} from './connectionTypes.ts';
import type { ConnectionPorts } from './connectionPoolPorts.ts';
import { timingsFor } from './connectionTimings.ts';
import { STOP_GRACE, type StopGrace } from './process/stopGrace.ts';
import { afterLoss, DEFAULT_BACKOFF, type BackoffSettings } from './reconnectPolicy.ts';
import { ToolList } from './session/toolList.ts';
import { say } from '../base/say.ts';

const CHECK_TIMEOUT_MS = 5000;
/** How long a call waits for a server that starts for it: a package may have to be fetched. */
const ON_DEMAND_WAIT_MS = 30_000;

/** The connection of one server: starts it, reconnects it, stops it. */
export class ManagedConnection implements ServerConnection, Disposable {
  readonly #pool: ConnectionPorts;
  readonly #logger: Logger;
  readonly #states: StateKeeper;
  #target: ConnectionTarget;
  readonly #tools: ToolList;
  #session: Session | undefined;
  #attempts: ConnectionAttempts | undefined;
  #closing: Promise<void> = Promise.resolve();
  #stopping: { readonly done: Promise<void>; escalate(grace: StopGrace): void } | undefined;
  #restarting: Promise<ConnectionState> | undefined;
  #stoppedByPerson = false;
  #timesConnected = 0;
  /** Nothing is known of its secrets before its first start. */
  #mask: Mask = (text) => text;

  constructor(target: ConnectionTarget, pool: ConnectionPorts) {
    this.#target = target;
    this.#pool = pool;
    const logger = pool.ports.log(target.name);
    this.#logger = { log: (level, message) => logger.log(level, this.#mask(message)) };
    this.#states = new StateKeeper(pool.ports.clock, this.#logger, (previous) => pool.onState(previous));
    this.#tools = new ToolList({
      logger: this.#logger,
      clock: pool.ports.clock,
      prepare: pool.ports.prepareTools,
      timeoutMs: () => this.#target.discoveryTimeoutMs ?? pool.ports.settings().discoveryTimeoutMs,
      onListed: (listError) => this.#states.apply({ kind: 'listed', listError }),
      onTools: () => pool.onTools(),
    });
  }

  get id(): string {
    return this.#target.id;
  }

  get name(): string {
    return this.#target.name;
  }

  get target(): ConnectionTarget {
    return this.#target;
  }

  get state(): ConnectionState {
    return this.#states.state;
  }

  get tools(): readonly McpTool[] {
    return this.#tools.tools;
  }

  get leftOut(): readonly string[] {
    return this.#tools.leftOut;
  }

  get session(): Session | undefined {
    return this.#session;
  }

  get timesConnected(): number {
    return this.#timesConnected;
  }

  get mask(): Mask {
    return this.#mask;
  }

  /** The definition for the next attempt. Doesn't touch an established connection. */
  retarget(target: ConnectionTarget): void {
    this.#target = target;
  }

  /**
   * Connects, and resolves with the state that the first attempt leads to; never rejects. While it is connected or
   * connecting already, nothing new is begun; a wait for the next attempt is cut short.
   */
  start(): Promise<ConnectionState> {
    this.#stoppedByPerson = false;
    if (this.#stopping) return this.#stopping.done.then(() => this.start());
    if (this.#attempts && this.state.kind === 'connected') return Promise.resolve(this.state);
    if (this.#attempts && isStarting(this.state)) return this.#attempts.outcome.promise;
    if (this.#attempts && this.state.kind === 'pending') {
      this.#attempts.inARow = 0;
      return this.#begin(this.#attempts);
    }
    this.#attempts?.end();
    this.#attempts = new ConnectionAttempts();
    return this.#begin(this.#attempts);
  }

  /** As `start`, but skips a server that required a sign-in a short while ago. */
  startUnasked(): Promise<ConnectionState> {
    const state = this.start();
    if (this.#attempts) this.#attempts.isAutomatic = true;
    return state;
  }

  get isStoppedByPerson(): boolean {
    return this.#stoppedByPerson;
  }

  /** As `stop`, and it is not started on demand either until it is started again. */
  stopForGood(grace: StopGrace): Promise<void> {
    this.#stoppedByPerson = true;
    return this.stop(grace);
  }

  /** Disconnects; resolves when no process of the server is left. A second call escalates. */
  stop(grace: StopGrace): Promise<void> {
    this.#restarting = undefined;
    if (this.#stopping) {
      this.#stopping.escalate(grace);
      return this.#stopping.done;
    }
    const attempts = this.#attempts;
    const session = this.#session;
    this.#attempts = undefined;
    attempts?.end();
    this.#leave({ kind: 'stopped' });
    const done = Promise.all([session?.close(grace), attempts?.current, this.#closing]).then(() => {
      this.#stopping = undefined;
    });
    this.#stopping = { done, escalate: (harsher) => void session?.close(harsher) };
    return done;
  }

  /** After the machine slept: pings the connection, or ends the wait for the next attempt. */
  async check(): Promise<void> {
    const attempts = this.#attempts;
    if (attempts && this.state.kind === 'pending') void this.#begin(attempts);
    else await this.#session?.check(CHECK_TIMEOUT_MS);
  }

  /** Stops and starts with the definition at that time. A stop in between wins. */
  restart(): Promise<ConnectionState> {
    if (this.#restarting) return this.#restarting;
    const stopped = this.stop(STOP_GRACE.orderly);
    const restarting: Promise<ConnectionState> = stopped.then(() => {
      if (this.#restarting !== restarting) return this.state;
      this.#restarting = undefined;
      return this.start();
    });
    this.#restarting = restarting;
    return restarting;
  }

  async ready(waitMs: number, signal?: AbortSignal): Promise<Session> {
    const isOnDemand = this.#target.startMode === 'onDemand';
    if (this.state.kind === 'disconnected' && isOnDemand && !this.#stoppedByPerson) void this.start();
    await this.#states.settled(waitMs, signal, isOnDemand ? ON_DEMAND_WAIT_MS : 0);
    if (signal?.aborted) throw new SwitchboardError('call-cancelled', say`The wait for "${this.name}" was cancelled.`);
    if (this.#session && this.state.kind === 'connected') return this.#session;
    const { name, state } = this;
    throw (await import('./notConnected.ts')).notConnected(name, state, this.#pool.ports.clock.now());
  }

  freshen(): Promise<void> {
    return this.#tools.freshen();
  }

  dispose(): void {
    this.#attempts?.end();
    this.#states.dispose();
  }

  #begin(attempts: ConnectionAttempts): Promise<ConnectionState> {
    attempts.timer?.dispose();
    attempts.outcome = deferred();
    const closing = this.#closing;
    this.#states.apply({ kind: 'start', at: this.#pool.ports.clock.now() });
    attempts.current = closing.then(() => this.#attempt(attempts));
    return attempts.outcome.promise;
  }

  async #attempt(attempts: ConnectionAttempts): Promise<void> {
    const { signal } = attempts.abort;
    try {
      const starter = await this.#pool.starter();
      this.#mask = starter.secretsOf(this.id).mask;
      const session = await starter.start({
        target: this.#target,
        attempts,
        logger: this.#logger,
        onHint: (hint) => this.#states.apply({ kind: 'hint', hint }),
        onStep: (step) => {
          const at = this.#pool.ports.clock.now();
          if (signal.aborted || step.kind === 'unknown') return;
          this.#states.apply(step.kind === 'installing' ? { ...step, at } : { kind: 'begun', at });
        },
        adopt: (opened, begun) => this.#adopt(attempts, opened, begun),
      });
      if (signal.aborted) await session.close(STOP_GRACE.lost);
    } catch (error) {
      if (!signal.aborted) this.#lost(attempts, toFailure(asSwitchboardError(error)));
    } finally {
      attempts.outcome.resolve(this.state);
    }
  }

  /** Lists the tools of a new session and makes it the connection's. */
  async #adopt(attempts: ConnectionAttempts, session: Session, begun: number): Promise<void> {
    const { clock } = this.#pool.ports;
    const first = await this.#tools.fetchFirst(session);
    const { listError, ended } = first;
    if (attempts.abort.signal.aborted) return;
    if (ended) {
      this.#closing = session.close(STOP_GRACE.lost);
      throw new ConnectError(ended.code, ended.message, { stderrTail: ended.stderrTail });
    }
    this.#session = session;
    this.#timesConnected += 1;
    attempts.connectedAt = clock.now();
    attempts.session.clear();
    const { listDebounceMs } = timingsFor(this.#pool.ports.settings(), this.#target.timings);
    attempts.session.add(this.#tools.follow(session, first, listDebounceMs, this.#backoff));
    attempts.session.add(session.onEnded((failure) => this.#lost(attempts, failure)));
    attempts.session.add(session.onAccountNeeded(() => this.#states.apply({ kind: 'account-needed' })));
    const { info } = session;
    this.#logger.log(
      'info',
      `Connected in ${attempts.connectedAt - begun} ms: ${info.name} ${info.version}, protocol ${info.protocolVersion}, ${this.tools.length} tools.`,
    );
    this.#states.apply({
      kind: 'opened',
      at: attempts.connectedAt,
      info,
      ...(listError === undefined ? {} : { listError }),
    });
    if (session.accountNeeded) this.#states.apply({ kind: 'account-needed' });
    this.#pool.onTools();
  }

  get #backoff(): BackoffSettings {
    return { ...DEFAULT_BACKOFF, ...this.#pool.ports.settings().reconnect, ...this.#target.reconnect };
  }

  /** The connection was lost or failed: schedules the next attempt, or gives up. */
  #lost(attempts: ConnectionAttempts, raw: ConnectionFailure): void {
    const failure = maskedFailure(raw, this.#mask);
    const { clock } = this.#pool.ports;
    const backoff = this.#backoff;
    const session = this.#session;
    if (session) {
      this.#closing = session.close(STOP_GRACE.lost);
      if (clock.now() - attempts.connectedAt >= backoff.healthyAfterMs) attempts.inARow = 0;
    }
    attempts.session.clear();
    const event = afterLoss(failure, {
      backoff,
      attemptsSoFar: attempts.inARow,
      now: clock.now(),
      random: Math.random(),
    });
    if (event.kind === 'retry') {
      attempts.inARow = event.attempt;
      attempts.timer = clock.schedule(event.nextAttemptAt - clock.now(), () => void this.#begin(attempts));
    } else if (event.kind === 'auth-required' && !attempts.refused) {
      const { key } = this.#target;
      void this.#pool.starter().then(({ needsAuth }) => needsAuth?.note(key, failure.message));
    }
    this.#leave(event);
  }

  /** What was fetched in a session ends with it. */
  #leave(event: ConnectionEvent): void {
    const hadTools = this.#tools.clear();
    this.#session = undefined;
    this.#states.apply(event);
    if (hadTools) this.#pool.onTools();
  }
}
