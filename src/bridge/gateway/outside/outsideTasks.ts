import { randomBytes } from 'node:crypto';
import { messageOf, SwitchboardError } from '../../../base/errors.ts';
import type { JsonObject } from '../../../base/json/json.ts';
import { protocolResult } from '../../../calls/results/protocolResult.ts';
import { ownerOf } from '../../../calls/tasks/keptTask.ts';
import type { TaskView } from '../../../calls/tasks/taskView.ts';
import { TASK_LIMITS } from '../../../calls/tasks/taskStore.ts';
import { RPC_CODES } from '../../../connection/protocol/rpcCodes.ts';
import { callOfClient, type ClientCalls } from '../brokerCall.ts';
import { RpcError } from '../protocol/jsonRpc.ts';
import type { ListedTool, UpstreamCall, UpstreamTasks } from '../upstream.ts';

/** How often a client is to ask, in milliseconds. */
const POLL_MS = 1_000;
/** One request for a result waits so long before it looks again, in milliseconds. */
const WAIT_MS = 60_000;
/**
 * Results of calls that were no tasks of their servers, which ended before their clients had the handle: as many are kept for the
 * clients of one name, and for all.
 */
const MAX_AT_ONCE = { perCaller: 64, all: 1_024 };
/** Key of `_meta` (specification 2025-11-25: *Tasks*). */
const RELATED = 'io.modelcontextprotocol/related-task';

interface EndedAtOnce {
  readonly caller: string | undefined;
  readonly result: JsonObject;
  readonly at: number;
  isFetched: boolean;
}

/**
 * Calls of agents outside the editor that want them as tasks (specification 2025-11-25: *Tasks*), whatever form their servers'
 * tasks have. A task is only there for clients of the name that called; there is no list of tasks.
 */
export class OutsideTasks implements UpstreamTasks {
  readonly #calls: ClientCalls;
  readonly #atOnce = new Map<string, EndedAtOnce>();

  constructor(calls: ClientCalls) {
    this.#calls = calls;
  }

  async call(tool: ListedTool, args: JsonObject, options: UpstreamCall): Promise<JsonObject> {
    const { result, task } = await callOfClient(this.#calls, tool.callableName, args, options, true);
    const { caller } = options;
    if (task !== undefined) return { task: taskObject(await this.#view(task, caller)) };
    const id = `task_${randomBytes(16).toString('base64url')}`;
    const at = Date.now();
    this.#atOnce.set(id, { caller, result, at, isFetched: false });
    this.#limit(MAX_AT_ONCE.perCaller, (each) => each.caller === caller);
    this.#limit(MAX_AT_ONCE.all, () => true);
    return { task: taskObject({ handle: id, status: 'completed', startedAt: at }) };
  }

  async get(id: string, caller: string): Promise<JsonObject> {
    return this.#endedAtOnce(id, caller) ?? taskObject(await this.#view(id, caller));
  }

  async result(id: string, caller: string, signal: AbortSignal): Promise<JsonObject> {
    const ended = this.#endedAtOnce(id, caller) && this.#atOnce.get(id);
    if (ended) ended.isFetched = true;
    const result = ended?.result ?? (await this.#awaited(id, caller, signal));
    const meta = (result['_meta'] ?? {}) as JsonObject;
    return { ...result, _meta: { ...meta, [RELATED]: { taskId: id } } };
  }

  async cancel(id: string, caller: string): Promise<JsonObject> {
    const view = this.#endedAtOnce(id, caller) ? undefined : await this.#view(id, caller);
    if (view?.status !== 'working')
      throw new RpcError(RPC_CODES.invalidParams, 'The task has ended: it can’t be cancelled.');
    return taskObject(await (await this.#calls.host.broker.tasks()).cancel(id, ownOf(caller)));
  }

  /** Drops of some what is too much: those first whose result was fetched, the oldest first. */
  #limit(count: number, isMeant: (each: EndedAtOnce) => boolean): void {
    const some = [...this.#atOnce].filter(([, each]) => isMeant(each));
    if (some.length <= count) return;
    some.sort(([, a], [, b]) => Number(b.isFetched) - Number(a.isFetched));
    for (const [id] of some.slice(0, some.length - count)) this.#atOnce.delete(id);
  }

  async #awaited(id: string, caller: string, signal: AbortSignal): Promise<JsonObject> {
    const tasks = await this.#calls.host.broker.tasks();
    await this.#view(id, caller);
    while (!signal.aborted && (await tasks.wait(id, ownOf(caller), WAIT_MS, signal)).status === 'working');
    try {
      const outcome = await tasks.take(id, ownOf(caller), true);
      if (!outcome) throw new SwitchboardError('call-cancelled', 'The request was cancelled. The task goes on.');
      return protocolResult(outcome);
    } catch (error) {
      return { content: [{ type: 'text', text: messageOf(error) }], isError: true };
    }
  }

  #endedAtOnce(id: string, caller: string | undefined): JsonObject | undefined {
    const ended = this.#atOnce.get(id);
    if (!ended || ended.caller !== caller) return undefined;
    return taskObject({ handle: id, status: 'completed', startedAt: ended.at });
  }

  /** A task of another caller isn't told from one that there isn't. */
  async #view(id: string, caller: string | undefined): Promise<TaskView> {
    try {
      return await (await this.#calls.host.broker.tasks()).view(id, ownOf(caller));
    } catch (error) {
      throw new RpcError(RPC_CODES.invalidParams, `Task not found. ${messageOf(error)}`);
    }
  }
}

function ownOf(caller: string | undefined): string {
  return ownerOf({ surface: 'outside', ...(caller === undefined ? {} : { caller }) }) ?? '';
}

function taskObject({
  handle,
  status,
  message,
  startedAt,
  endedAt = startedAt,
}: Pick<TaskView, 'handle' | 'status' | 'startedAt'> & Partial<TaskView>): JsonObject {
  return {
    taskId: handle,
    status,
    ...(message === undefined ? {} : { statusMessage: message }),
    createdAt: new Date(startedAt).toISOString(),
    lastUpdatedAt: new Date(endedAt).toISOString(),
    ttl: TASK_LIMITS.keptMs,
    pollInterval: POLL_MS,
  };
}
