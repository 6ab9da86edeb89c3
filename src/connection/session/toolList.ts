import { Debouncer } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/log.ts';
import { asSwitchboardError } from '../connectionFailure.ts';
import type { ConnectionFailure, McpTool, Session } from '../connectionTypes.ts';
import type { BackoffSettings } from '../reconnectPolicy.ts';
import { ListRetries, type ListOutcome } from './listRetries.ts';

/** What a list of tools needs of its connection. */
export interface ToolListPorts {
  readonly logger: Logger;
  readonly clock: Clock;
  /** Awaited with each list before it is this one. */
  readonly prepare?: ((tools: readonly McpTool[]) => Promise<unknown>) | undefined;
  timeoutMs(): number;
  /** A session that is followed was listed again. @param error why that failed */
  onListed(error: string | undefined): void;
  /** And the tools are others. */
  onTools(): void;
}

/** The result of a session's first list, and what happened to the session meanwhile. */
export interface FirstList {
  /** Why the list failed. */
  readonly listError: string | undefined;
  /** Why the session ended. */
  readonly ended: ConnectionFailure | undefined;
  /** The server's tools changed meanwhile. */
  readonly changed: boolean;
}

/**
 * The tools that a connection's session listed last. They are listed again when the server says that they changed, when
 * the time is over that it gave the list, and where listing failed or gave none.
 */
export class ToolList {
  #tools: readonly McpTool[] = [];
  #leftOut: readonly string[] = [];
  readonly #ports: ToolListPorts;
  #staleAt = Infinity;
  /** The session that is followed, and what lists it again. */
  #followed: { readonly session: Session; readonly retries: ListRetries } | undefined;
  #freshening: Promise<void> | undefined;
  #timesCleared = 0;

  constructor(ports: ToolListPorts) {
    this.#ports = ports;
  }

  get tools(): readonly McpTool[] {
    return this.#tools;
  }

  /** What was left out of the list, one sentence each. */
  get leftOut(): readonly string[] {
    return this.#leftOut;
  }

  /** Lists a new session, and tells what happened to it meanwhile. */
  async fetchFirst(session: Session): Promise<FirstList> {
    let ended: ConnectionFailure | undefined;
    let changed = false;
    const ending = session.onEnded((failure) => (ended = failure));
    const changing = session.onToolsChanged(() => (changed = true));
    const listError = await this.#fetch(session);
    ending.dispose();
    changing.dispose();
    return { listError, ended, changed };
  }

  /**
   * Keeps the list of a session up to date until the result is disposed.
   * @param first what its first list gave
   * @param debounceMs how long changes are awaited after one, before it is listed again
   */
  follow(session: Session, first: FirstList, debounceMs: number, backoff: BackoffSettings): Disposable {
    const { clock } = this.#ports;
    const store = new DisposableStore();
    const refetch = store.add(new Debouncer(debounceMs, clock, () => void this.#relist(session)));
    store.add(session.onToolsChanged(() => refetch.trigger()));
    const retries = store.add(new ListRetries(clock, backoff, () => void this.#relist(session, true)));
    this.#followed = { session, retries };
    retries.listed(this.#outcome(session, first.listError));
    if (first.changed) refetch.trigger();
    return store;
  }

  /** Lists again where the time is over that the server gave the list; else resolves at once. */
  freshen(): Promise<void> {
    const session = this.#followed?.session;
    if (session && this.#ports.clock.now() >= this.#staleAt)
      this.#freshening ??= this.#relist(session, true).finally(() => (this.#freshening = undefined));
    return this.#freshening ?? Promise.resolve();
  }

  /** What was listed of a session ends with it. Returns whether there were tools. */
  clear(): boolean {
    const had = this.#tools.length > 0;
    this.#tools = [];
    this.#leftOut = [];
    this.#staleAt = Infinity;
    this.#followed = undefined;
    this.#timesCleared += 1;
    return had;
  }

  /** @param onlyChanges a list that is the same is no news */
  async #relist(session: Session, onlyChanges = false): Promise<void> {
    const before = onlyChanges ? JSON.stringify([this.#tools, this.#leftOut]) : '';
    const listError = await this.#fetch(session);
    if (this.#followed?.session !== session) return;
    this.#followed.retries.listed(this.#outcome(session, listError));
    this.#ports.onListed(listError);
    if (!onlyChanges || JSON.stringify([this.#tools, this.#leftOut]) !== before) this.#ports.onTools();
  }

  /** Fetches the list; a failure keeps the old one. Returns why it failed, or `undefined`. */
  async #fetch(session: Session): Promise<string | undefined> {
    const { clock, logger, prepare } = this.#ports;
    const timesCleared = this.#timesCleared;
    try {
      const { tools, leftOut, freshForMs } = await session.listTools(this.#ports.timeoutMs());
      await prepare?.(tools);
      // Its session has ended meanwhile: it isn't the next one's list.
      if (timesCleared !== this.#timesCleared) return undefined;
      const isSaid = JSON.stringify(leftOut) === JSON.stringify(this.#leftOut);
      this.#tools = tools;
      this.#leftOut = leftOut;
      this.#staleAt = clock.now() + freshForMs;
      if (isSaid) return undefined;
      for (const sentence of leftOut) logger.log('warning', `Left out. ${sentence}`);
      return undefined;
    } catch (error) {
      const { fullMessage } = asSwitchboardError(error);
      logger.log('warning', fullMessage);
      return fullMessage;
    }
  }

  #outcome({ info }: Session, listError: string | undefined): ListOutcome {
    if (listError !== undefined) return 'failed';
    const hasNone = this.#tools.length === 0 && this.#leftOut.length === 0;
    return hasNone && info.capabilities['tools'] !== undefined ? 'empty' : 'listed';
  }
}
