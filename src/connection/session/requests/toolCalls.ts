import type { Client } from '@modelcontextprotocol/client';
import { onAbort } from '../../../base/async.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';
import type { SwitchboardError } from '../../../base/errors.ts';
import type { JsonObject } from '../../../base/json/json.ts';
import type { ServerLogLevel } from '../../../base/log.ts';
import { carriedCallResult } from '../../cleaning/cleanTools.ts';
import type {
  CallOptions,
  CallProgress,
  FollowOptions,
  McpTool,
  ServerInfo,
  TaskRef,
  ToolCallResult,
} from '../../connectionTypes.ts';
import type { SdkFault } from '../../protocol/sdk.ts';
import { cancellable, type SentRequest, type ToolRequests } from '../../protocol/toolRequests.ts';
import type { ServerAsks } from '../serverAsks.ts';
import { ownMeta, PROTOCOL_PREFIX } from '../../protocol/ownMeta.ts';
import { CallTimer, TOTAL_TIMEOUTS, type CallTimers } from './callTimer.ts';
import { ProgressTeller } from './progressTeller.ts';
import { isHeaderMismatch } from './requestFailure.ts';
import { AS_TASK, cancelTask, followTask } from './taskCall.ts';
import { createdTask, runsTasks } from './taskStatus.ts';
import { askToOpenUrls, requiredUrls } from './urlElicitation.ts';
import { say } from '../../../base/say.ts';

/** Specification 2026-07-28: *Logging*. */
const LOG_LEVEL_KEY = `${PROTOCOL_PREFIX}logLevel`;
/** Of a call that nobody can cancel. */
const NEVER = new AbortController().signal;

/** What calls need of their session. */
export interface ToolCallPorts {
  readonly client: Client;
  readonly requests: ToolRequests;
  readonly info: ServerInfo;
  readonly clock: Clock;
  /** Of the calls that run; they pause while the user is asked. */
  readonly timers: CallTimers;
  /** Cancels a request because its time is over. */
  readonly timeOut: (end: () => void) => void;
  /** Absent where nobody can be asked. */
  readonly asks: ServerAsks | undefined;
  readonly classify: (error: unknown) => SdkFault;
  readonly explain: (
    what: string,
    error: unknown,
    timeoutMs: number,
    aborted: boolean,
    fault: SdkFault,
  ) => Promise<SwitchboardError>;
  /** A message is sent, or was received. */
  onTraffic(): void;
  /** The list of tools, from which the headers of a call are made, is out of date. */
  onOldList(): void;
}

/** Calls the tools of a server: each with its time-out, its progress, and the pages that the server needs opened first. */
export class ToolCalls {
  /** Sent with each call to servers of 2026-07-28. */
  logLevel: ServerLogLevel | undefined;
  /** Tools that are to be told to run as tasks. */
  #taskTools: ReadonlySet<string> = new Set();
  readonly #ports: ToolCallPorts;

  constructor(ports: ToolCallPorts) {
    this.#ports = ports;
  }

  /** The server's tools, as it listed them last. */
  setTools(tools: readonly McpTool[]): void {
    const isTask = ({ needsTask, canTask }: McpTool): boolean => needsTask === true || canTask === true;
    this.#taskTools = new Set(runsTasks(this.#ports.info) ? tools.filter(isTask).map(({ name }) => name) : []);
  }

  /** See `Session.followTask`. */
  async follow(task: TaskRef, { signal, timeoutMs, onProgress }: FollowOptions): Promise<ToolCallResult> {
    const { client, clock, classify, explain } = this.#ports;
    const onStatus = (message: string | undefined, progress: number): void => onProgress?.({ progress, message });
    this.#ports.onTraffic();
    try {
      return carriedCallResult(await followTask(task, client, { signal, timeoutMs, onStatus }, clock));
    } catch (error) {
      throw await explain(say`The task`, error, timeoutMs, signal.aborted, classify(error));
    } finally {
      this.#ports.onTraffic();
    }
  }

  /** See `Session.callTool`. */
  async run(name: string, args: JsonObject, options: CallOptions): Promise<ToolCallResult> {
    const { requests, clock, timers, timeOut, asks, classify, explain } = this.#ports;
    const { onProgress, signal, timeoutMs, meta } = options;
    let request: SentRequest | undefined;
    let timedOut = false;
    const timer = new CallTimer(timeoutMs, clock, () => {
      timedOut = true;
      timeOut(() => request?.cancel('timed out'));
    });
    timers.set(timer, true);
    this.#ports.onTraffic();
    const told = onProgress && new ProgressTeller(onProgress, clock);
    let abortion: Disposable | undefined;
    try {
      signal?.throwIfAborted();
      const params = { name, arguments: args, ...this.#meta(meta) };
      // Always there: it requests progress, which restarts the time-out.
      const onprogress = (progress: CallProgress): void => {
        timer.restart();
        told?.tell(progress);
      };
      const isTask = this.#taskTools.has(name);
      request = requests.send(isTask ? { ...params, ...AS_TASK } : params, onprogress);
      abortion = signal && onAbort(signal, () => request?.cancel('cancelled by the caller'));
      const result = await request.result;
      const task = createdTask(result);
      if (task && options.takesTask) return { content: [], isError: false, task };
      if (task) request = cancellable((sending) => this.#followed(task, sending.signal, onprogress, timeoutMs));
      const ended = task ? await request.result : result;
      told?.flush();
      return carriedCallResult(ended);
    } catch (error) {
      const fault = timedOut ? { kind: 'timeout' as const } : classify(error);
      const what = say`The call of "${name}"`;
      timer.dispose();
      if (isHeaderMismatch(fault)) this.#ports.onOldList();
      const addresses = requiredUrls(fault);
      if (addresses.length > 0 && asks) throw await askToOpenUrls(addresses, asks, what, signal ?? NEVER);
      const limitMs = timer.isOver ? timeoutMs * TOTAL_TIMEOUTS : timeoutMs;
      throw await explain(what, error, limitMs, signal?.aborted === true, fault);
    } finally {
      told?.dispose();
      timers.take(timer);
      timer.dispose();
      abortion?.dispose();
      this.#ports.onTraffic();
    }
  }

  /** A call that is cancelled, or out of time, cancels its task. */
  async #followed(
    task: TaskRef,
    signal: AbortSignal,
    onprogress: (progress: CallProgress) => void,
    timeoutMs: number,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { client, clock } = this.#ports;
    const cancelling = onAbort(signal, () => void cancelTask(task, client));
    try {
      const onStatus = (message: string | undefined, progress: number): void => onprogress({ progress, message });
      return await followTask(task, client, { signal, timeoutMs, onStatus }, clock);
    } finally {
      cancelling.dispose();
    }
  }

  #meta(given: JsonObject | undefined): { readonly _meta?: Record<string, unknown> } {
    if (given === undefined && this.logLevel === undefined) return {};
    const meta = { ...ownMeta(given), ...(this.logLevel ? { [LOG_LEVEL_KEY]: this.logLevel } : {}) };
    return Object.keys(meta).length > 0 ? { _meta: meta } : {};
  }
}
