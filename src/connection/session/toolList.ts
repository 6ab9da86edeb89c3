import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { asSwitchboardError } from '../connectionFailure.ts';
import type { ConnectionFailure, McpTool, Session } from '../connectionTypes.ts';

/** The result of a session's first list, and what happened to the session meanwhile. */
export interface FirstList {
  /** Why the list failed. */
  readonly listError: string | undefined;
  /** Why the session ended. */
  readonly ended: ConnectionFailure | undefined;
  /** The server's tools changed meanwhile. */
  readonly changed: boolean;
}

/** The tools that a session listed last. */
export class ToolList {
  #tools: readonly McpTool[] = [];
  #leftOut: readonly string[] = [];
  readonly #logger: Logger;
  readonly #clock: Clock;
  #staleAt = Infinity;
  readonly #prepare: ((tools: readonly McpTool[]) => Promise<unknown>) | undefined;

  /** @param prepare is awaited with each list before it is this one */
  constructor(logger: Logger, clock: Clock, prepare?: (tools: readonly McpTool[]) => Promise<unknown>) {
    this.#prepare = prepare;
    this.#logger = logger;
    this.#clock = clock;
  }

  /** The time that the server gave the list is over. */
  get isStale(): boolean {
    return this.#clock.now() >= this.#staleAt;
  }

  get tools(): readonly McpTool[] {
    return this.#tools;
  }

  /** What was left out of the list, one sentence each. */
  get leftOut(): readonly string[] {
    return this.#leftOut;
  }

  /** Fetches the list; a failure keeps the old one. Returns why it failed, or `undefined`. */
  async fetch(session: Session, timeoutMs: number): Promise<string | undefined> {
    try {
      const { tools, leftOut, freshForMs } = await session.listTools(timeoutMs);
      await this.#prepare?.(tools);
      const isSaid = JSON.stringify(leftOut) === JSON.stringify(this.#leftOut);
      this.#tools = tools;
      this.#leftOut = leftOut;
      this.#staleAt = this.#clock.now() + freshForMs;
      if (isSaid) return undefined;
      for (const sentence of leftOut) this.#logger.log('warning', `Left out. ${sentence}`);
      return undefined;
    } catch (error) {
      const { fullMessage } = asSwitchboardError(error);
      this.#logger.log('warning', fullMessage);
      return fullMessage;
    }
  }

  /** As `fetch`, for a new session; with what happened to it meanwhile. */
  async fetchFirst(session: Session, timeoutMs: number): Promise<FirstList> {
    let ended: ConnectionFailure | undefined;
    let changed = false;
    const ending = session.onEnded((failure) => (ended = failure));
    const changing = session.onToolsChanged(() => (changed = true));
    const listError = await this.fetch(session, timeoutMs);
    ending.dispose();
    changing.dispose();
    return { listError, ended, changed };
  }

  /** Returns whether there were tools. */
  clear(): boolean {
    const had = this.#tools.length > 0;
    this.#tools = [];
    this.#leftOut = [];
    this.#staleAt = Infinity;
    return had;
  }
}
