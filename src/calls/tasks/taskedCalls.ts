import { onAbort } from '../../base/async.ts';
import { MemoryStore } from '../../base/keyValueStore.ts';
import type { Disposable } from '../../base/disposable.ts';
import { SwitchboardError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { type CatalogTool } from '../../catalog/catalogTool.ts';
import type { CallProgress, TaskRef, ToolCallResult } from '../../connection/connectionTypes.ts';
import type { BrokerPorts, BrokerState } from '../brokerTypes.ts';
import { CallTrace } from '../callTrace.ts';
import type { CallOutcome, ToolCall } from '../callTypes.ts';
import { recordedArguments } from '../results/masking.ts';
import { withVerdict } from '../results/resultParts.ts';
import type { ShownResults } from '../results/shownResults.ts';
import type { KeptTask } from './keptTask.ts';
import { ownerOf } from './keptTask.ts';
import type { RunningTask } from './runningTask.ts';
import { RunningTasks, type Settled } from './runningTasks.ts';

/** A call's progress restarts its time-out up to this many times one; so long its caller waits for a task. */
const TOTAL_TIMEOUTS = 10;

/** A call that goes on as a task, in place of its result. */
export interface HandedOver {
  readonly handle: string;
}

/** What the broker does with results of tasks as with any other. */
export interface ResultSteps {
  readonly results: ShownResults;
  record(call: Pick<ToolCall, 'surface' | 'caller'>, trace: CallTrace, outcome: Settled): void;
}

/** What was called, and was allowed. */
export interface AllowedCall {
  readonly tool: CatalogTool;
  /** As the server got them. */
  readonly args: JsonObject;
  readonly fingerprint: string;
}

/** The part of the broker that deals with calls whose servers make tasks of them. */
export class TaskedCalls implements Disposable {
  readonly tasks: RunningTasks;
  readonly #ports: BrokerPorts;
  readonly #state: BrokerState;
  readonly #steps: ResultSteps;
  /** Handed over, until their callers have the handle. */
  readonly #leaving = new Map<string, RunningTask>();

  constructor(ports: BrokerPorts, state: BrokerState, steps: ResultSteps) {
    this.#ports = ports;
    this.#state = state;
    this.#steps = steps;
    this.tasks = new RunningTasks({
      ...ports,
      store: ports.taskStore ?? new MemoryStore(),
      finish: (task, result, signal) => this.#finish(task, result, signal),
    });
  }

  /** Waits for a call's task with its caller: to its result, or until the task is handed over. What is no task is the result. */
  attended(
    call: ToolCall,
    allowed: AllowedCall,
    result: ToolCallResult,
  ): ToolCallResult | Promise<ToolCallResult | HandedOver> {
    return result.task ? this.#attended(call, allowed, result.task) : result;
  }

  async #attended(call: ToolCall, allowed: AllowedCall, task: TaskRef): Promise<ToolCallResult | HandedOver> {
    const { tool, args, fingerprint } = allowed;
    const { serverId, serverName } = tool;
    const kept = recordedArguments(args, this.#state.mask);
    const running = await this.tasks.begin(
      call,
      { serverId, serverName, fingerprint, tool: call.name, args: kept },
      task,
    );
    const { onProgress, signal } = call;
    if (onProgress) running.onProgress = onProgress;
    const limitMs = this.#ports.callTimeoutMs(serverId) * TOTAL_TIMEOUTS;
    const attendance = { signal, handOverMs: this.#handOverMs(call), limitMs };
    const ended = await this.#state.inProgress.during(serverId, call, () => this.tasks.attend(running, attendance));
    if (ended) return ended;
    const { handle } = running.task;
    this.#leaving.set(handle, running);
    return { handle };
  }

  #handOverMs(call: ToolCall): number | undefined {
    if (call.asTask) return 0;
    const { handOverMs } = this.#ports.settings();
    // An agent outside that doesn't follow tasks couldn't ask for one.
    // A script waits for what it called.
    const waits = ownerOf(call) === undefined || call.surface === 'outside' || call.script !== undefined;
    return waits || handOverMs === 0 ? undefined : handOverMs;
  }

  /** The caller has the handle. Until the task ends, the call is among those in progress, and then in the history. */
  goOn(handle: string, call: Pick<ToolCall, 'surface' | 'caller'>, trace: CallTrace): void {
    const running = this.#leaving.get(handle);
    // Of identical calls that ran once, the first one stands for all.
    if (!running) return;
    this.#leaving.delete(handle);
    trace.isTask = true;
    void this.#state.inProgress
      .whole(trace, new AbortController().signal, async (signal) => {
        const abortion = onAbort(signal, () => running.stop('cancelled'));
        const settled = this.tasks.settle(running);
        running.onProgress = ({ message }: CallProgress) => (trace.said = message);
        try {
          return await settled;
        } finally {
          abortion.dispose();
        }
      })
      .then((outcome) => running.isClosing || this.#steps.record(call, trace, outcome));
  }

  /** Goes on with the tasks that earlier windows left running. */
  async resume(): Promise<void> {
    for (const running of await this.tasks.resume()) {
      const { handle, tool, args, surface, caller, at, serverName } = running.task;
      const call = { name: tool, args, surface, signal: running.signal, ...(caller === undefined ? {} : { caller }) };
      const trace = new CallTrace(call, at);
      trace.serverName = serverName;
      trace.phase = 'running';
      this.#leaving.set(handle, running);
      this.goOn(handle, call, trace);
    }
  }

  /** The same that happens with a result that the caller waited for. */
  async #finish(task: KeptTask, result: ToolCallResult, signal: AbortSignal): Promise<CallOutcome> {
    const { tool: name, serverName } = task;
    const { hooks } = this.#state;
    const after = hooks.any
      ? await hooks.after({ ...this.#hooked(task), known: this.#ports.names, response: result, signal })
      : undefined;
    const shown = await this.#steps.results.of(result, name, serverName);
    const parts = await this.#steps.results.fitted(after ? withVerdict(shown, after) : shown);
    return result.meta ? { parts, meta: result.meta } : { parts };
  }

  /** What hooks look at. A result that they can't be asked about isn't given. */
  #hooked({ tool: name, serverId, args }: KeptTask): { readonly tool: CatalogTool; readonly args: JsonObject } {
    const tool = this.#found(name);
    if (tool?.serverId === serverId) return { tool, args };
    throw new SwitchboardError(
      'denied',
      `${name} is not there any more, so that hooks could not look at its result: it is not given.`,
    );
  }

  #found(name: string): CatalogTool | undefined {
    try {
      return this.#ports.find(name);
    } catch {
      return undefined;
    }
  }

  dispose(): void {
    this.tasks.dispose();
  }
}

/** What the model is told in place of a result. */
export function handedOver(tool: string, handle: string): CallOutcome {
  const text =
    `${tool} is still running: it goes on as the task ${handle}. Don't call it again. Ask for its result with mcp_task, ` +
    `for example {"action": "wait", "task": "${handle}"}, or do something else meanwhile.`;
  return { parts: [{ kind: 'text', text }], task: handle };
}
