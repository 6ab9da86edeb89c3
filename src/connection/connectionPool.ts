import { untilWake, WAKE_MS, type Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { SwitchboardError } from '../base/errors.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { Mask } from '../base/text/secrets.ts';
import { nextTurn } from '../base/timeSlices.ts';
import type { ConnectionState, ConnectionTarget, ServerConnection, Session } from './connectionTypes.ts';
import { ManagedConnection } from './managedConnection.ts';
import type { PoolPorts } from './connectionPoolPorts.ts';
import { STOP_GRACE, type StopGrace } from './process/stopGrace.ts';
import { eventsOf, type ServerEvent } from './serverEvents.ts';
import type { Starter } from './start/startServer.ts';
import { say } from '../base/say.ts';

export type { PoolPorts } from './connectionPoolPorts.ts';
export type { ConnectionTarget, ServerConnection } from './connectionTypes.ts';

/** The connections of all servers. Starts, stops and restarts them as the targets change, a few at a time. */
export class ConnectionPool implements Disposable {
  readonly #ports: PoolPorts;
  readonly #connections = new Map<string, ManagedConnection>();
  /** Removed servers that still stop, by id. */
  readonly #leaving = new Map<string, Promise<void>>();
  readonly #onState = new Emitter<ServerConnection>();
  readonly #onTools = new Emitter<ServerConnection>();
  readonly #onEvent = new Emitter<ServerEvent>();
  #starter: Promise<Starter> | undefined;
  #wake: WakeWatch | undefined;
  #closed = false;

  constructor(ports: PoolPorts) {
    this.#ports = ports;
  }

  readonly onDidChangeState: Event<ServerConnection> = this.#onState.event;
  readonly onDidChangeTools: Event<ServerConnection> = this.#onTools.event;
  readonly onDidEvent: Event<ServerEvent> = this.#onEvent.event;

  /** In the order in which they were added. */
  get all(): readonly ServerConnection[] {
    return [...this.#connections.values()];
  }

  get(id: string): ServerConnection | undefined {
    return this.#connections.get(id);
  }

  /** Masks the secrets of all servers in a text. */
  readonly mask: Mask = (text) => this.all.reduce((masked, connection) => connection.mask(masked), text);

  /** Starts new servers, stops removed ones, restarts changed ones. What the user stopped stays stopped. */
  reconcile(targets: readonly ConnectionTarget[]): void {
    if (this.#closed) return;
    const wanted = new Map(targets.map((target) => [target.id, target]));
    for (const connection of this.#connections.values()) if (!wanted.has(connection.id)) this.#remove(connection);
    for (const target of wanted.values()) {
      const existing = this.#connections.get(target.id);
      if (!existing) this.#add(target);
      else this.#update(existing, target);
    }
  }

  /** Checks whether each connection is alive. */
  checkAll(): void {
    for (const connection of this.#connections.values()) void connection.check();
  }

  /** Connects a server and resolves with the state that this leads to. @throws SwitchboardError `unknown-server` */
  async connect(id: string): Promise<ConnectionState> {
    return this.#require(id).start();
  }

  /** Disconnects a server; it stays so until it is connected again. @throws SwitchboardError `unknown-server` */
  async disconnect(id: string): Promise<void> {
    await this.#require(id).stopForGood(STOP_GRACE.orderly);
  }

  /** @throws SwitchboardError `unknown-server` */
  async restart(id: string): Promise<ConnectionState> {
    return this.#require(id).restart();
  }

  /**
   * See `ServerConnection.ready`.
   * @throws SwitchboardError `unknown-server`, `not-connected`, `call-cancelled`
   */
  async ready(id: string, waitMs: number, signal?: AbortSignal): Promise<Session> {
    return this.#require(id).ready(waitMs, signal);
  }

  /** Resolves when each server that was removed so far has stopped. */
  async removedStopped(): Promise<void> {
    await Promise.all(this.#leaving.values());
  }

  /** Stops all servers in parallel and starts no more. A second call escalates. */
  async stopAll(grace: StopGrace): Promise<void> {
    this.#closed = true;
    this.#wake?.dispose();
    await Promise.all([
      ...[...this.#connections.values()].map((connection) => connection.stop(grace)),
      ...this.#leaving.values(),
    ]);
  }

  dispose(): void {
    this.#onState.dispose();
    this.#onTools.dispose();
    this.#onEvent.dispose();
    void this.stopAll(STOP_GRACE.none)
      .then(() => this.#starter)
      .then((starter) => starter?.dispose());
    for (const connection of this.#connections.values()) connection.dispose();
  }

  async #loadStarter(): Promise<Starter> {
    // In a slice of its own: the gateway, too, is loaded with the first server.
    await nextTurn();
    const { Starter: Loaded } = await import('./start/startServer.ts');
    return new Loaded(this.#ports);
  }

  #add(target: ConnectionTarget): void {
    const connection: ManagedConnection = new ManagedConnection(target, {
      ports: this.#ports,
      starter: () => (this.#starter ??= this.#loadStarter()),
      onState: (previous) => this.#stateChanged(connection, previous),
      onTools: () => this.#onTools.fire(connection),
    });
    this.#connections.set(target.id, connection);
    this.#wake ??= new WakeWatch(this.#ports.clock, () => this.checkAll());
    if (!startsByItself(target)) return;
    const leaving = this.#leaving.get(target.id);
    if (!leaving) void connection.startUnasked();
    // The removed server of the same id may hold a lock or a port.
    else
      void leaving.then(() => {
        if (this.#connections.get(target.id) === connection) void connection.startUnasked();
      });
  }

  #update(connection: ManagedConnection, target: ConnectionTarget): void {
    const isOther = connection.target.key !== target.key;
    const isUnknown = isOther || connection.target.listKey !== target.listKey;
    const wasStopped = connection.state.kind === 'disconnected';
    connection.retarget(target);
    if (!wasStopped) {
      if (isOther) void connection.restart();
      // Of a server that waits for its first use, the tools are to be known again.
    } else if (isUnknown && target.startMode === 'onDemand' && startsByItself(target) && !connection.isStoppedByPerson)
      void connection.startUnasked();
  }

  #stateChanged(connection: ManagedConnection, previous: ConnectionState): void {
    this.#onState.fire(connection);
    const { state, tools } = connection;
    for (const event of eventsOf(connection, previous, state, tools.length, this.#ports.clock.now())) {
      this.#onEvent.fire(event);
    }
  }

  #remove(connection: ManagedConnection): void {
    const { id } = connection;
    this.#connections.delete(id);
    const left = connection.stop(STOP_GRACE.orderly).finally(() => {
      connection.dispose();
      if (this.#leaving.get(id) === left) this.#leaving.delete(id);
    });
    this.#leaving.set(id, left);
  }

  #require(id: string): ManagedConnection {
    const connection = this.#connections.get(id);
    if (connection) return connection;
    throw new SwitchboardError('unknown-server', say`There is no server "${id}".`);
  }
}

function startsByItself(target: ConnectionTarget): boolean {
  const mode = target.startMode ?? (target.autoStart ? 'eager' : 'manual');
  return mode === 'eager' || (mode === 'onDemand' && target.needsDiscovery === true);
}

/** A later tick means that the machine slept, not that it is busy. */
const JUMP_MS = 20_000;

/** Notices that the machine slept: the clock jumps between two ticks. */
export class WakeWatch implements Disposable {
  readonly #clock: Clock;
  readonly #onWake: () => void;
  #last: number;
  #timer: Disposable | undefined;

  constructor(clock: Clock, onWake: () => void) {
    this.#clock = clock;
    this.#onWake = onWake;
    this.#last = clock.now();
    this.#plan();
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  #plan(): void {
    this.#timer = this.#clock.schedule(untilWake(this.#clock, this.#clock.now() + WAKE_MS / 2), () => {
      const now = this.#clock.now();
      const jumped = now - this.#last > WAKE_MS + JUMP_MS;
      this.#last = now;
      this.#plan();
      if (jumped) this.#onWake();
    });
  }
}
