// Loaded when the user runs a planned or a failed call.
import { messageOf, SwitchboardError } from '../../base/errors.ts';
import { isFinalFailure, type FailedCall, type FailedCalls } from '../history/failedCalls.ts';
import type { History } from '../history/callHistory.ts';
import type { LazyBroker } from '../lazyBroker.ts';
import type { CallOutcome } from '../callTypes.ts';
import type { PlanMode, PlannedCall } from './planMode.ts';

/** The stamp of a stored call that has none: it fits no tool, so the user is asked. */
const UNKNOWN_STAMP = '';

/** What stored calls need of all about calls. */
export interface StoredCallsPorts {
  readonly broker: LazyBroker;
  readonly plan: PlanMode;
  readonly failedCalls: FailedCalls;
  readonly history: History;
}

/** What came of a run of planned calls. */
export interface PlanRun {
  /** How many succeeded. */
  readonly ran: number;
  /** The call at which it stopped, with its error: it failed, or was cancelled while it ran. */
  readonly failed?: PlannedCall;
  readonly error?: unknown;
}

/** Runs calls for the user: planned ones, those that failed, and those of the history. */
export class StoredCalls {
  readonly #calls: StoredCallsPorts;
  /** Ids of the planned calls that run now. */
  readonly #running = new Set<string>();

  constructor(calls: StoredCallsPorts) {
    this.#calls = calls;
  }

  /**
   * Runs a planned call as the user saw it. It is removed from the plan when it succeeds.
   * @throws SwitchboardError as `Broker.call` does; `denied` if it no longer waits as it was shown, or runs already
   */
  async runPlanned(shown: PlannedCall, signal: AbortSignal): Promise<CallOutcome> {
    if (this.#running.has(shown.id)) throw new SwitchboardError('denied', 'This planned call is already running.');
    if (!this.#calls.plan.isAsShown(shown)) {
      throw new SwitchboardError(
        'denied',
        'This planned call was changed or removed after it was shown. It did not run.',
        {
          remedy: 'Run the plan again.',
        },
      );
    }
    this.#running.add(shown.id);
    try {
      const call = { name: shown.tool, args: shown.args, surface: 'plan-queue', signal } as const;
      const outcome = await this.#calls.broker.callForUser(call, shown.stamp ?? UNKNOWN_STAMP);
      await this.#calls.plan.discard(shown.id);
      return outcome;
    } catch (error) {
      await this.#calls.plan.update(shown.id, { error: messageOf(error).slice(0, 1_000) });
      throw error;
    } finally {
      this.#running.delete(shown.id);
    }
  }

  /**
   * Runs the planned calls that the user saw, in order, and no other; stops at the first failure, and when `signal` aborts.
   * @param shown calls of the plan's list, as they were when they were shown
   * @param onStart called before each call, with its place in `shown`, from 0
   */
  async runPlan(
    shown: readonly PlannedCall[],
    signal: AbortSignal,
    onStart?: (index: number) => void,
  ): Promise<PlanRun> {
    let ran = 0;
    for (const [index, planned] of shown.entries()) {
      if (signal.aborted) break;
      onStart?.(index);
      try {
        await this.runPlanned(planned, signal);
        ran += 1;
      } catch (error) {
        return { ran, failed: planned, error };
      }
    }
    return { ran };
  }

  /**
   * Retries a failed call for the user. It is removed from the list when it succeeds; a new failure replaces it.
   * @throws SwitchboardError as `Broker.call` does; `undefined` where its secrets are no longer known
   */
  async retryFailed(letter: FailedCall, signal: AbortSignal): Promise<CallOutcome | undefined> {
    const args = this.#calls.failedCalls.argsOf(letter);
    if (!args) return undefined;
    const call = { name: letter.tool, args, surface: 'dead-letters', signal } as const;
    try {
      const outcome = await this.#calls.broker.callForUser(call, letter.stamp ?? UNKNOWN_STAMP);
      await this.#calls.failedCalls.discard(letter.id);
      return outcome;
    } catch (error) {
      if (isFinalFailure(error)) await this.#calls.failedCalls.discard(letter.id);
      throw error;
    }
  }

  /**
   * Runs a call of the history again for the user, who saw its arguments.
   * @param id of the history's entry
   * @throws SwitchboardError as `Broker.call` does; `undefined` where its arguments are no longer known
   */
  async runAgain(id: number, signal: AbortSignal): Promise<CallOutcome | undefined> {
    const call = this.#calls.history.repeatable(id);
    if (!call) return undefined;
    const { name, args, stamp } = call;
    return this.#calls.broker.callForUser({ name, args, surface: 'run-again', signal }, stamp);
  }
}
