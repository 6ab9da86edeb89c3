import type { Client } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { SwitchboardError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { JsonObject } from '../../base/json/json.ts';
import type { ServerLogLevel } from '../../base/log.ts';
import type { Mask } from '../../base/text/secrets.ts';
import type {
  CallOptions,
  ConnectionFailure,
  FollowOptions,
  ListedTools,
  RequestOptions,
  ServerInfo,
  ServerNotification,
  Session,
  TaskRef,
  ToolCallResult,
} from '../connectionTypes.ts';
import type { ServerRequestPorts } from '../serverQuestionTypes.ts';
import { waitForExit, type Link } from '../serverLink.ts';
import type { StopGrace } from '../process/stopGrace.ts';
import { AS_IT_CAME, MAX_LIST_PAGES, readServerInfo } from '../protocol/protocolClient.ts';
import { ToolRequests } from '../protocol/toolRequests.ts';
import { carriedTool } from '../cleaning/cleanTools.ts';
import type { CallTimers } from './requests/callTimer.ts';
import { freshForMs } from './listFreshness.ts';
import { ItemRequests } from './requests/itemRequests.ts';
import { KeepAlive } from './keepAlive.ts';
import { maskedError } from './maskedError.ts';
import { explainRequest, isAnyAnswer } from './requests/requestFailure.ts';
import type { ServerAsks } from './serverAsks.ts';
import type { ThrottledLog } from './throttledLog.ts';
import { ServerNotifications } from './notifications/serverNotifications.ts';
import { cancelTask } from './requests/taskCall.ts';
import { makesTasks } from './requests/taskStatus.ts';
import { ToolCalls } from './requests/toolCalls.ts';

type Sdk = typeof import('../protocol/sdk.ts');

/** Options of a session. */
export interface SessionOptions {
  readonly requests: ServerRequestPorts;
  readonly asks: ServerAsks;
  readonly clock: Clock;
  readonly logger: ThrottledLog;
  readonly mask: Mask;
  readonly leftOut: string[];
  readonly keepAliveMs: number;
  /** Registers the listener for entries of the server's log. */
  readonly onLog: (listener: (params: JsonObject) => void) => void;
}

/** Time-out of a ping. */
const PING_TIMEOUT_MS = 10_000;

/** A session over the SDK's client. */
export class ClientSession implements Session {
  readonly info: ServerInfo;
  readonly #sdk: Sdk;
  readonly #client: Client;
  readonly #link: Link;
  readonly #clock: Clock;
  readonly #leftOut: string[];
  readonly #mask: Mask;
  readonly #asks: ServerAsks;
  readonly #log: ThrottledLog;
  readonly #calls: ToolCalls;
  readonly #items: ItemRequests;
  readonly #watchers = new DisposableStore();
  readonly #keepAlive: KeepAlive | undefined;
  readonly #notifications: ServerNotifications;
  readonly #onToolsChanged = new Emitter<void>();
  readonly #onEnded = new Emitter<ConnectionFailure>();
  readonly onToolsChanged: Event<void> = this.#onToolsChanged.event;
  readonly onEnded: Event<ConnectionFailure> = this.#onEnded.event;
  readonly onAccountNeeded: Event<void>;
  readonly onNotification: Event<ServerNotification>;
  #closed: Promise<void> | undefined;
  #ended = false;

  constructor(sdk: Sdk, client: Client, link: Link, timers: CallTimers, options: SessionOptions) {
    this.#sdk = sdk;
    this.#client = client;
    this.#link = link;
    this.onAccountNeeded = link.onAccountNeeded ?? (() => toDisposable(() => undefined));
    this.#clock = options.clock;
    this.#leftOut = options.leftOut;
    this.#mask = options.mask;
    this.#asks = options.asks;
    this.info = readServerInfo(client, link);
    this.#calls = new ToolCalls({
      client,
      requests: new ToolRequests(sdk, client, link.transport, this.info.era),
      info: this.info,
      clock: options.clock,
      timers,
      timeOut: (end) => link.transport.timeOut(end),
      asks: options.requests.elicit ? options.asks : undefined,
      classify: (error) => sdk.classifySdkError(error),
      explain: (...failure) => this.#explain(...failure),
      onTraffic: () => this.#keepAlive?.touch(),
      onOldList: () => this.#onToolsChanged.fire(),
    });
    this.#notifications = this.#watchers.add(new ServerNotifications(client, this.info, options.clock, options.logger));
    this.#log = options.logger;
    this.onNotification = this.#notifications.onNotification;
    // First of all who listen: what they ask for then is asked of the server.
    this.#items = this.#watchers.add(
      new ItemRequests({
        client,
        info: this.info,
        clock: options.clock,
        notifications: this.#notifications,
        explain: (...failure) => this.#explain(...failure),
        onTraffic: () => this.#keepAlive?.touch(),
      }),
    );
    this.#watchers.add(
      this.onNotification(({ method }) => {
        if (method === 'notifications/tools/list_changed') this.#onToolsChanged.fire();
      }),
    );
    options.onLog((params) => this.#notifications.tellLog(params));
    const { onRootsChanged } = options.requests;
    if (onRootsChanged) this.#watchers.add(onRootsChanged(() => void this.#tellRootsChanged()));
    // The modern era has no ping, and the end of a process is seen without one.
    if (link.kind !== 'stdio' && link.kind !== 'in-process' && this.info.era === 'legacy') {
      this.#keepAlive = this.#watchers.add(
        new KeepAlive(options.clock, () => this.check(PING_TIMEOUT_MS), options.keepAliveMs),
      );
    }
    link.onLost((failure) => this.#end(failure));
  }

  get isAsking(): boolean {
    return this.#asks.isOpen;
  }

  get accountNeeded(): boolean {
    return this.#link.accountNeeded === true;
  }

  async listTools(timeoutMs: number): Promise<ListedTools> {
    if (!this.#client.getServerCapabilities()?.tools) return { tools: [], leftOut: [], freshForMs: Infinity };
    const overdue = new AbortController();
    const timer = this.#clock.schedule(timeoutMs, () => this.#link.transport.timeOut(() => overdue.abort()));
    this.#leftOut.length = 0;
    try {
      const options = { timeout: timeoutMs, signal: overdue.signal };
      const result = await allPages(this.#sdk, this.#client, this.info.era, options);
      await this.#notifications.listed('tools/list', result.tools);
      const mayBeTasks = makesTasks(this.info);
      const tools = result.tools
        .map(carriedTool)
        .map((tool) => (mayBeTasks ? { ...tool, canTask: true as const } : tool));
      this.#calls.setTools(tools);
      return {
        tools,
        leftOut: [...this.#leftOut],
        freshForMs: freshForMs(result, this.info, 'tools'),
      };
    } catch (error) {
      const cause = overdue.signal.aborted ? { kind: 'timeout' as const } : this.#sdk.classifySdkError(error);
      const explained = await this.#explain('The list of tools', error, timeoutMs, false, cause);
      throw new SwitchboardError('discovery-failed', explained.message, { cause: explained });
    } finally {
      timer.dispose();
    }
  }

  followTask(task: TaskRef, options: FollowOptions): Promise<ToolCallResult> {
    return this.#calls.follow(task, options);
  }

  cancelTask(task: TaskRef): Promise<void> {
    return cancelTask(task, this.#client);
  }

  callTool(name: string, args: JsonObject, options: CallOptions): Promise<ToolCallResult> {
    return this.#calls.run(name, args, options);
  }

  request(method: string, params: JsonObject, timeoutMs: number, options: RequestOptions = {}): Promise<JsonObject> {
    return this.#items.request(method, params, timeoutMs, options);
  }

  forgetAnswers(): void {
    this.#items.forgetAnswers();
  }

  async subscribe(uri: string): Promise<Disposable> {
    try {
      return await this.#notifications.subscribe(uri, PING_TIMEOUT_MS);
    } catch (error) {
      throw await this.#explain('resources/subscribe', error, PING_TIMEOUT_MS, false);
    }
  }

  async check(timeoutMs: number): Promise<boolean> {
    try {
      const options = { timeout: timeoutMs };
      await (this.info.era === 'legacy' ? this.#client.ping(options) : this.#client.discover(options));
      return true;
    } catch (error) {
      const fault = this.#sdk.classifySdkError(error);
      if (!this.#link.lost && isAnyAnswer(fault)) return true;
      this.#end(
        this.#link.lost ?? {
          code: 'connection-lost',
          message: 'The server no longer answers.',
          stderrTail: this.#link.stderrTail(),
        },
      );
      return false;
    }
  }

  async setLogLevel(level: ServerLogLevel): Promise<void> {
    if (!this.#client.getServerCapabilities()?.logging) return;
    if (this.info.era === 'legacy') await this.#client.setLoggingLevel(level, { timeout: PING_TIMEOUT_MS });
    else this.#calls.logLevel = level;
  }

  async #tellRootsChanged(): Promise<void> {
    // Later servers request the roots when they need them.
    if (this.info.era !== 'legacy') return;
    try {
      await this.#client.sendRootsListChanged();
    } catch {
      // A lost connection is reported elsewhere.
    }
  }

  close(grace: StopGrace): Promise<void> {
    if (this.#closed) void this.#link.stop(grace);
    return (this.#closed ??= this.#close(grace));
  }

  async #close(grace: StopGrace): Promise<void> {
    this.#watchers.dispose();
    this.#onToolsChanged.dispose();
    this.#onEnded.dispose();
    await this.#link.stop(grace);
    await this.#client.close().catch(() => undefined);
    this.#link.dispose();
    this.#log.dispose();
  }

  #end(failure: ConnectionFailure): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onEnded.fire(failure);
  }

  async #explain(
    what: string,
    error: unknown,
    timeoutMs: number,
    aborted: boolean,
    fault = this.#sdk.classifySdkError(error),
  ): Promise<SwitchboardError> {
    const mayBeExit = fault.kind === 'closed' || fault.kind === 'other';
    if (mayBeExit && !aborted && !this.#closed) await waitForExit(this.#link, this.#clock);
    const { lost } = this.#link;
    // Before the caller gets the error, so that it finds the connection in its new state.
    if (lost) this.#end(lost);
    return maskedError(explainRequest({ what, fault, error, aborted, timeoutMs, lost }), this.#mask);
  }
}

/** What of the pages of `tools/list` is needed here. */
interface ListedPages {
  readonly tools: readonly { readonly name: string; readonly inputSchema: unknown; readonly _meta?: unknown }[];
  readonly ttlMs?: unknown;
}

/**
 * All pages of `tools/list`. The legacy era needs no second check, which for thousands of tools holds the thread for a
 * second; the modern era needs the SDK's own list, for headers that repeat arguments.
 */
async function allPages(
  sdk: Sdk,
  client: Client,
  era: 'legacy' | 'modern',
  options: { readonly timeout: number; readonly signal: AbortSignal },
): Promise<ListedPages> {
  const method = 'tools/list';
  if (era === 'modern') return client.listTools(undefined, { ...options, cacheMode: 'refresh' });
  const pages: ListedPages['tools'][] = [];
  for (let cursor: unknown; pages.length < MAX_LIST_PAGES;) {
    const request = { method, ...(cursor === undefined ? {} : { params: { cursor } }) };
    const page = (await client.request(request, AS_IT_CAME, options)) as ListedPages & { nextCursor?: unknown };
    // A server that gives the same page again and again has no other.
    const isSame = page.nextCursor === cursor && cursor !== undefined;
    if (isSame && JSON.stringify(page.tools) === JSON.stringify(pages.at(-1))) return { tools: pages.flat() };
    pages.push(page.tools);
    cursor = page.nextCursor;
    if (cursor === undefined) return { ...page, tools: pages.flat() };
  }
  throw sdk.endlessList(method);
}
