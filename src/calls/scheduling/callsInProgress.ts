import { AsyncLocalStorage } from 'node:async_hooks';
import { onAbort } from '../../base/async.ts';
import { InFlight } from '../../base/inFlight.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { ServerQuestion } from '../../connection/serverQuestionTypes.ts';
import type { CallTrace } from '../callTrace.ts';
import type { ToolCall } from '../callTypes.ts';

/** The calls and requests that haven't ended, and those of them that are running on servers now. */
export class CallsInProgress {
  readonly #running = new Map<string, InFlight<ToolCall>>();
  /** What is done for which call: what a server asks within its answer is asked there. */
  readonly #current = new AsyncLocalStorage<ToolCall>();
  readonly #all = new InFlight<CallTrace, AbortController>();
  readonly #questions = new Set<ServerQuestion>();
  readonly #changed = new Emitter<void>();

  /** Fires when a call or a question begins or ends, or when a call gets to its next phase. */
  readonly onDidChange: Event<void> = this.#changed.event;

  /** All that haven't ended, in the order in which they began. */
  get all(): readonly CallTrace[] {
    return this.#all.keys();
  }

  /** The questions of servers that the user hasn't answered. */
  get questions(): readonly ServerQuestion[] {
    return [...this.#questions];
  }

  /**
   * The call that a question of a server is about: the one whose answer it is within, or the only one that is running there;
   * `undefined` if that isn't sure.
   */
  only(serverId: string): ToolCall | undefined {
    const calls = this.#running.get(serverId);
    const current = this.#current.getStore();
    if (current && calls?.get(current)) return current;
    const [only, ...others] = calls?.keys() ?? [];
    return others.length > 0 ? undefined : only;
  }

  /** Runs `work`, and counts the call as running on its server until it ends. */
  async during<T>(serverId: string, call: ToolCall, work: () => Promise<T>): Promise<T> {
    let calls = this.#running.get(serverId);
    if (!calls) this.#running.set(serverId, (calls = new InFlight()));
    calls.set(call, true);
    try {
      return await this.#current.run(call, work);
    } finally {
      calls.take(call);
    }
  }

  /**
   * Runs `work`, and counts the call as in progress until it ends.
   * @param signal of the caller; what `work` gets aborts with it, or when the user cancels the call
   */
  async whole<T>(trace: CallTrace, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const ending = new AbortController();
    const abortion = onAbort(signal, () => ending.abort(signal.reason));
    this.#all.set(trace, ending);
    trace.onPhase = () => this.#changed.fire();
    this.#changed.fire();
    try {
      return await work(ending.signal);
    } finally {
      abortion.dispose();
      this.#all.take(trace);
      this.#changed.fire();
    }
  }

  /** Cancels a call for the user: its server is told, and a question about it closes. */
  cancel(trace: CallTrace): void {
    const ending = this.#all.get(trace);
    if (!ending || ending.signal.aborted) return;
    trace.isCancelledByUser = true;
    ending.abort();
  }

  /** Runs `ask`, and counts the question as open until it is answered. */
  async asked<T>(question: ServerQuestion, ask: () => Promise<T>): Promise<T> {
    this.#questions.add(question);
    this.#changed.fire();
    try {
      return await ask();
    } finally {
      this.#questions.delete(question);
      this.#changed.fire();
    }
  }
}
