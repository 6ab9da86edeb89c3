import { deferred, type Deferred, delay } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import type { StopGrace } from './stopGrace.ts';

/** A server's process. On POSIX it leads a process group of its own. */
export interface GroupLeader {
  /** Settles when the process itself is gone. */
  readonly exited: Promise<unknown>;
  /** Closes its stdin. */
  endInput(): void;
}

/** Kills a server and everything it started. */
export interface TreeKiller {
  /** To be called while the leader may still live: what it started is found by it. */
  look(): Promise<void>;
  /** Asks the tree to end (`terminate`) or ends it (`kill`). A tree that is gone is no error. */
  end(how: 'terminate' | 'kill'): Promise<void>;
  /** Whether something of the tree of a leader that is gone still runs. */
  hasSurvivors(): Promise<boolean>;
}

/** Between two checks of a process group whose leader is gone. */
const POLL_MS = 20;
/** How long members of a group may take to notice that their leader is gone. */
const SETTLE_MS = 100;
/** A killed process is gone at once, unless the system holds on to it. */
const AFTER_KILL_MS = 1000;

/**
 * Stops a server in order (specification 2025-11-25, stdio, *Shutdown*: close the input, wait, SIGTERM, wait,
 * SIGKILL), with the signals going to its whole process group, so that what it started goes with it.
 */
export class StopLadder {
  readonly #leader: GroupLeader;
  readonly #killer: TreeKiller;
  readonly #clock: Clock;
  #step: Deferred<void> = deferred();
  #leaderGone = false;

  constructor(leader: GroupLeader, killer: TreeKiller, clock: Clock) {
    this.#leader = leader;
    this.#killer = killer;
    this.#clock = clock;
  }

  /** Goes through the steps; resolves when no process of the tree is left. Call it once. */
  async run(grace: StopGrace): Promise<void> {
    void this.#leader.exited.finally(() => (this.#leaderGone = true));
    const looked = this.#killer.look();
    this.#leader.endInput();
    await looked;
    if (await this.#goneWithin(grace.afterEofMs, SETTLE_MS)) return;
    await this.#killer.end('terminate');
    if (await this.#goneWithin(grace.afterTermMs, grace.afterTermMs)) return;
    await this.#killer.end('kill');
    await this.#goneWithin(AFTER_KILL_MS, AFTER_KILL_MS);
  }

  /** Ends the current wait, or the next where there is none. */
  escalate(): void {
    this.#step.resolve();
  }

  /** @param orphansMs how long orphans may take to exit after their leader */
  async #goneWithin(graceMs: number, orphansMs: number): Promise<boolean> {
    const step = this.#step.promise;
    const timer = this.#clock.schedule(graceMs, () => this.escalate());
    try {
      await Promise.race([this.#leader.exited, step]);
      const deadline = this.#clock.now() + Math.min(orphansMs, graceMs);
      while (this.#leaderGone) {
        if (!(await this.#killer.hasSurvivors())) return true;
        if (this.#clock.now() >= deadline) return false;
        await delay(POLL_MS, this.#clock);
      }
      return false;
    } finally {
      timer.dispose();
      this.#step = deferred();
    }
  }
}
