// Loaded with the first call.
import type { Disposable } from '../base/disposable.ts';
import { SwitchboardError, messageOf } from '../base/errors.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { JsonObject } from '../base/json/json.ts';
import type { BrokerPorts, BrokerState } from './brokerTypes.ts';
import { argumentsFor, underlyingOf, type CatalogTool } from '../catalog/catalogTool.ts';
import { hasApp } from '../catalog/toolApp.ts';
import type { ToolCallResult } from '../connection/connectionTypes.ts';
import { isFinalFailure } from './history/failedCalls.ts';
import { forModel } from './results/cleanText.ts';
import type { SwitchboardEvent } from './switchboardEvents.ts';
import { CallGate, type GatedCall } from './policy/callGate.ts';
import { RuleOwners } from './policy/rules/ruleOwners.ts';
import type { HookedCall } from './hooks/callHooks.ts';
import { NO_VERDICT, type HookVerdict } from './hooks/hookTypes.ts';
import { checkArguments } from './arguments/checkArguments.ts';
import { withoutNeedlessNulls } from './arguments/nullArguments.ts';
import { withTextsRead } from './arguments/textArguments.ts';
import { CallSender } from './scheduling/callSender.ts';
import { ItemCalls } from './itemCalls.ts';
import { asTool, type ItemRequest, type ListMethod } from './itemRequest.ts';
import { withVerdict, type ResultPart } from './results/resultParts.ts';
import { ShownResults } from './results/shownResults.ts';
import { queuedCall } from './plan/queuedCall.ts';
import { resolveTool } from './resolveTool.ts';
import { handedOver, TaskedCalls, type HandedOver } from './tasks/taskedCalls.ts';
import type { RunningTasks } from './tasks/runningTasks.ts';
import { CallScheduler } from './scheduling/callScheduler.ts';
import { cancelledByUser, CallTrace } from './callTrace.ts';
import type { CallOutcome, ToolCall } from './callTypes.ts';
import { runRecordedScript } from './script/runRecordedScript.ts';
import type { ScriptCaller } from './script/scriptRun.ts';

/** For the model, with the result of another call that was allowed together with its own. */
const SHARED_NOTE: ResultPart = {
  kind: 'text',
  text: 'An identical call was made at the same time, and the user allowed it once. It ran once, and this is its result.',
};

/**
 * The only way to call a tool: resolve → validate → hooks → policy → plan mode → question → turn → call, with retries →
 * hooks → result → history. Whatever surface a call comes from, it goes through here, and nothing else reaches
 * `session.callTool`.
 */
export class Broker implements Disposable {
  readonly gate: CallGate;
  readonly #ports: BrokerPorts;
  readonly #state: BrokerState;
  readonly #scheduler: CallScheduler;
  readonly #sender: CallSender;
  readonly #items: ItemCalls;
  readonly #tasked: TaskedCalls;
  readonly #results: ShownResults;
  readonly #events = new Emitter<SwitchboardEvent>();

  constructor(ports: BrokerPorts, state: BrokerState) {
    this.#ports = ports;
    this.#state = state;
    this.gate = new CallGate(ports, { ...state, owners: new RuleOwners(ports.store) });
    this.#items = new ItemCalls(ports, state, this.gate);
    this.#results = new ShownResults(ports);
    this.#tasked = new TaskedCalls(ports, state, {
      results: this.#results,
      record: (call, trace, outcome) => this.#record(call, trace, outcome),
    });
    this.#sender = new CallSender(ports, state.inProgress);
    this.#scheduler = new CallScheduler(() => ports.settings().callConcurrency);
  }

  /** The calls that go on as tasks. */
  get tasks(): RunningTasks {
    return this.#tasked.tasks;
  }

  /** Goes on with the tasks that earlier windows left running. */
  resumeTasks(): Promise<void> {
    return this.#tasked.resume();
  }

  /** Calls as they begin, and as they end. */
  get onDidCall(): Event<SwitchboardEvent> {
    return this.#events.event;
  }

  /** How many requests were sent to servers, each retry included. */
  get sent(): number {
    return this.#sender.sent;
  }

  /**
   * Runs one call.
   * @throws SwitchboardError `unknown-tool`, `invalid-arguments`, `denied`, `not-connected`, `call-timeout`,
   * `call-cancelled`, `connection-lost`, `call-failed` or `tool-error`; the text is meant for the model
   */
  call(call: ToolCall): Promise<CallOutcome> {
    return this.#traced(call, undefined);
  }

  /**
   * Runs a call that the user started and whose arguments the user saw: without a question, also in plan mode. What a
   * rule, a mode or a hook denies stays denied. Never for a call of a model.
   * @param stamp identifies the tool as it was when the call was saved: if it changed since, the user is asked
   */
  callForUser(call: ToolCall, stamp?: string): Promise<CallOutcome> {
    return this.#traced(call, { stamp });
  }

  /**
   * A request for a resource, a prompt or completion, under the same hooks and policy as a call of a tool that reads. Gives
   * the result as the protocol has it.
   * @throws SwitchboardError as `call` does
   */
  request(request: ItemRequest): Promise<JsonObject> {
    return this.#items.request(request);
  }

  /** The same, sent by `send`, with the parameters that hooks left. */
  permitted<T>(request: ItemRequest, send: (params: JsonObject) => Promise<T>): Promise<T> {
    return this.#items.permitted(request, send);
  }

  /** Checks a page of a list, which is never asked about. @throws SwitchboardError `denied`, where a rule denies it */
  checkList(serverId: string, method: ListMethod, params: JsonObject): void {
    const { action, reason } = this.gate.explain(
      asTool(serverId, method, this.#ports.serverOf(serverId), false),
      params,
    );
    if (action === 'deny') throw new SwitchboardError('denied', `Denied: ${reason}. Nothing was listed.`);
  }

  /**
   * Runs a script of a model, whose calls go the way of all calls. The history has the script, and its calls as belonging to it.
   * @throws SwitchboardError as `call` does; the text is meant for the model
   */
  runScript(source: string, caller: ScriptCaller): Promise<CallOutcome> {
    const ports = {
      ...this.#ports,
      call: (call: ToolCall) => this.call(call),
      stampOf: (name: string) => this.#stampNow(name),
      limited: (parts: readonly ResultPart[]) => this.limited(parts),
    };
    return runRecordedScript(ports, this.#state, source, caller);
  }

  /** Limits a result to the size that a model gets; a larger one is stored as a file. */
  async limited(parts: readonly ResultPart[]): Promise<readonly ResultPart[]> {
    return this.#results.fitted(parts);
  }

  /** Stores what a model isn't shown as files, and says where they are. */
  async withFiles(parts: readonly ResultPart[]): Promise<readonly ResultPart[]> {
    return this.#results.withFiles(parts);
  }

  async #traced(call: ToolCall, started: GatedCall['started']): Promise<CallOutcome> {
    const trace = new CallTrace(call, this.#ports.clock.now());
    const tracer = this.#ports.tracer?.();
    if (tracer) trace.spans = (await tracer)?.begin(call);
    const outcome = await this.#state.inProgress.whole(trace, call.signal, (signal) =>
      this.#recorded({ ...call, signal }, started, trace),
    );
    if (outcome.task !== undefined) this.#tasked.goOn(outcome.task, call, trace);
    return outcome;
  }

  async #recorded(call: ToolCall, started: GatedCall['started'], trace: CallTrace): Promise<CallOutcome> {
    let outcome: CallOutcome | { readonly error: unknown } = { parts: [] };
    try {
      outcome = await this.#pipeline(call, started, trace);
      return outcome;
    } catch (thrown) {
      const error = trace.isCancelledByUser ? cancelledByUser(trace) : thrown;
      outcome = { error };
      if (trace.attempts > 0 && isFinalFailure(error)) await this.#keepFailed(trace, error);
      throw forModel(error);
    } finally {
      // A call that goes on as a task has its entry when that has ended.
      if (!('task' in outcome)) this.#record(call, trace, outcome);
    }
  }

  #record(
    { surface, caller }: Pick<ToolCall, 'surface' | 'caller'>,
    trace: CallTrace,
    outcome: CallOutcome | { readonly error: unknown },
  ): void {
    const written = trace.entry(outcome, this.#ports.settings().historyContent ? this.#state.mask : undefined);
    const { name, args, stamp } = trace;
    const entry = this.#state.history.add(written, stamp === undefined ? undefined : { name, args, stamp });
    const ok = entry.result === 'ok' || entry.result === 'queued';
    this.#events.fire({
      type: 'tool.result',
      name: trace.name,
      serverName: trace.serverName,
      surface,
      ...(caller === undefined ? {} : { caller }),
      ok,
      durationMs: entry.durationMs,
      ...(ok ? {} : { error: entry.result }),
    });
  }

  async #pipeline(asked: ToolCall, started: GatedCall['started'], trace: CallTrace): Promise<CallOutcome> {
    const tool = resolveTool(asked, this.#ports);
    const { inputSchema } = tool.tool;
    const given = withTextsRead(inputSchema, withoutNeedlessNulls(inputSchema, asked.args));
    const isAsAsked = given === asked.args && asked.name === tool.name;
    const call = isAsAsked ? asked : { ...asked, name: tool.name, args: given };
    trace.found(tool);
    trace.stamp = this.gate.stampOf(tool);
    this.#events.fire({
      type: 'tool.call',
      name: call.name,
      serverName: tool.serverName,
      surface: call.surface,
      ...(call.caller === undefined ? {} : { caller: call.caller }),
    });
    await checkArguments(tool.name, inputSchema, call.args, this.#ports);
    const fingerprint = this.#ports.fingerprintOf(tool.serverId);
    const hooked = { tool, args: argumentsFor(tool, call.args), known: this.#ports.names, signal: call.signal };
    const hooks = this.#state.hooks.any ? await this.#runPreHooks(hooked) : NO_VERDICT;
    const sent = hooks.input ?? hooked.args;
    // What is stored is filled in anew, and hooks run again, when it is run.
    const args = tool.toArguments ? call.args : sent;
    trace.args = args;
    const permit = await this.gate.authorize({ tool, args: sent, call, hooks, started }, trace);
    if (permit === 'queued') {
      trace.queued = true;
      const stamp = this.gate.stampOf(tool);
      const at = this.#ports.clock.now();
      return queuedCall(this.#state.plan, { at, tool: tool.name, serverName: tool.serverName, args, stamp });
    }
    const effects = this.gate.sideEffectsOf(tool);
    trace.phase = 'queued';
    trace.isShared = permit !== 'run';
    const send = (signal: AbortSignal): Promise<ToolCallResult | HandedOver> =>
      this.#scheduler.run(tool.serverId, effects.writes, signal, async (paused, waitedMs) => {
        trace.queueMs = waitedMs;
        trace.phase = 'running';
        const running = { ...call, signal, paused };
        const result = await this.#sender.send(tool, sent, running, effects, trace, () =>
          this.#checkUnchanged(tool, fingerprint),
        );
        return this.#tasked.attended(running, { tool, args: sent, fingerprint: fingerprint ?? '' }, result);
      });
    const { result, isShared } =
      permit === 'run' ? { result: await send(call.signal), isShared: false } : await permit.once(send, call.signal);
    if ('handle' in result) return handedOver(call.name, result.handle);
    const after = this.#state.hooks.any
      ? await this.#state.hooks.after({ ...hooked, args: sent, response: result })
      : NO_VERDICT;
    const own = withVerdict(await this.#results.of(result, call.name, tool.serverName), after);
    const all = isShared ? [...own, SHARED_NOTE] : own;
    const shown = await this.#results.fitted(all, call.script !== undefined || call.surface === 'app');
    return {
      parts: shown,
      ...(result.meta ? { meta: result.meta } : {}),
      ...(hasApp(tool) && shown !== all ? { whole: all } : {}),
    };
  }

  async #runPreHooks(call: HookedCall): Promise<HookVerdict> {
    const verdict = await this.#state.hooks.before(call);
    if (verdict.input)
      await checkArguments(call.tool.name, underlyingOf(call.tool).inputSchema, verdict.input, this.#ports);
    return verdict;
  }

  /** The decision was for the tool as it was: if the tool or its server changed since, it doesn't run. */
  #checkUnchanged(tool: CatalogTool, fingerprint: string | undefined): void {
    const now = this.#ports.find(tool.name);
    const same = now?.serverId === tool.serverId && this.#ports.fingerprintOf(tool.serverId) === fingerprint;
    if (same && (now === tool || this.gate.keyOf(now).pin === this.gate.keyOf(tool).pin)) return;
    throw new SwitchboardError(
      'denied',
      `${tool.name} changed or was removed while its permission was checked. It did not run.`,
      { remedy: 'Find it again with mcp_tool_search, then call it again.' },
    );
  }

  #stampNow(name: string): string | undefined {
    try {
      const tool = this.#ports.find(name);
      return tool && this.gate.stampOf(tool);
    } catch {
      return undefined;
    }
  }

  async #keepFailed(trace: CallTrace, error: unknown): Promise<void> {
    await this.#state.failedCalls.add({
      at: this.#ports.clock.now(),
      tool: trace.name,
      serverName: trace.serverName,
      args: trace.args,
      error: messageOf(error),
      attempts: trace.attempts,
      ...(trace.stamp === undefined ? {} : { stamp: trace.stamp }),
    });
  }

  dispose(): void {
    this.#tasked.dispose();
    this.#events.dispose();
  }
}
