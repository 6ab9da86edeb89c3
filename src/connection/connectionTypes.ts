import type { ServerLogLevel } from '../base/log.ts';
import type { Disposable } from '../base/disposable.ts';
import type { ErrorCode } from '../base/errors.ts';
import type { Event } from '../base/event.ts';
import type { JsonObject } from '../base/json/json.ts';
import type { Mask } from '../base/text/secrets.ts';
import type { EntryTimings, InProcessServer, Scope, StartMode, TransportSpec } from '../config/configTypes.ts';
import type { RequestAuthorization } from './auth/requests/authorization.ts';
import type { StopGrace } from './process/stopGrace.ts';
import type { BackoffSettings } from './reconnectPolicy.ts';

/** Why a connection failed, to show: never an environment value, a header or a token. */
export interface ConnectionFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly remedy?: string;
  /** The last lines the server wrote on stderr, oldest first, at most 20. */
  readonly stderrTail: readonly string[];
  /** Only the session is gone: the first attempt to reconnect is immediate. */
  readonly atOnce?: boolean;
  /** `Retry-After` in milliseconds. */
  readonly retryAfterMs?: number;
  /** Of `needs-auth`: signing in (`Host.signIns`) is the way out. Without it, a header of the definition is wrong. */
  readonly canSignIn?: true;
  /** Of `needs-auth`: HTTP status of the refusal, where it isn't only remembered. */
  readonly status?: number;
}

/** What a server said of itself in the handshake. */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  /** e.g. `2025-11-25`. */
  readonly protocolVersion: string;
  readonly era: 'legacy' | 'modern';
  /** What it is connected over. */
  readonly transport?: 'stdio' | 'http' | 'sse' | 'ws' | 'in-process';
  readonly instructions?: string;
  /** What clients may show of the server. */
  readonly icons?: readonly JsonObject[];
  readonly websiteUrl?: string;
  readonly capabilities: JsonObject;
  readonly pid?: number;
}

/** States of a connection (design: *Connections*). Times are milliseconds since the epoch. */
export type ConnectionState =
  | { readonly kind: 'disconnected' }
  | { readonly kind: 'connecting'; readonly since: number; readonly hint?: string }
  /** What starts it fetches or builds it first: with `tool`, e.g. `npx`, the package `what`. */
  | {
      readonly kind: 'installing';
      readonly since: number;
      readonly tool: string;
      readonly what?: string;
      readonly progress?: string;
    }
  | {
      readonly kind: 'connected';
      readonly since: number;
      readonly info: ServerInfo;
      readonly listError?: string;
      /** Some of what the server has was refused: it needs a sign-in. */
      readonly accountNeeded?: true;
    }
  | {
      readonly kind: 'pending';
      readonly attempt: number;
      readonly maxAttempts: number;
      readonly nextAttemptAt: number;
      readonly failure: ConnectionFailure;
    }
  | { readonly kind: 'needs-auth'; readonly failure: ConnectionFailure }
  | { readonly kind: 'failed'; readonly failure: ConnectionFailure };

/** Annotations of a tool, as the protocol names them; absent means the server doesn't say. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A tool as its server lists it, already cleaned of what doesn't fit the protocol. */
export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations: ToolAnnotations;
  /** It only runs as a task (`execution.taskSupport` is `required`; specification 2025-11-25: *Tasks*). */
  readonly needsTask?: true;
  /** Its server may run it as a task, or is told to (`execution.taskSupport` is `optional`; SEP-2663). */
  readonly canTask?: true;
  /** The server wants it in the model's list from the start (`_meta["anthropic/alwaysLoad"]`). */
  readonly alwaysLoad?: true;
  /** Its schemas as sorted JSON with all digits, where a double would be another number: what the tool is compared by, also when a store has made doubles of them. */
  readonly exactSchemas?: { readonly input: string; readonly output?: string };
  /** As the server has them; large ones are left out. */
  readonly icons?: readonly JsonObject[];
  /** The server's `_meta`, for clients that know what it means. */
  readonly meta?: JsonObject;
}

/** A block of a tool's result, as the protocol has it; unknown kinds are kept as they came. */
export type ContentBlock = { readonly type: string } & { readonly [key: string]: unknown };

/** A task of a server, which a call became. */
export interface TaskRef {
  /** As the server calls it. */
  readonly taskId: string;
  /** `extension`: SEP-2663; `core`: specification 2025-11-25. */
  readonly form: 'core' | 'extension';
  /** How long the server keeps it from its beginning, in milliseconds, as it says. */
  readonly ttlMs?: number;
}

/** What `tools/call` gave. */
export interface ToolCallResult {
  /** Instead of all else: the call goes on as this task. Only where the caller takes tasks. */
  readonly task?: TaskRef;
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError: boolean;
  /** The server's `_meta`, for clients that know what it means. */
  readonly meta?: JsonObject;
}

/** Progress of a call. */
export interface CallProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds; restarted by each progress message. */
  readonly timeoutMs: number;
  readonly onProgress?: (progress: CallProgress) => void;
  /** `_meta` of the request; keys of the protocol itself are left out. */
  readonly meta?: JsonObject;
  /** A call that becomes a task ends with it, and the caller follows that; absent: it is followed to its end. */
  readonly takesTask?: boolean;
}

/** How a task is followed. Milliseconds are those of each request. */
export interface FollowOptions extends Pick<CallOptions, 'onProgress' | 'timeoutMs'> {
  /** The task goes on when it aborts. */
  readonly signal: AbortSignal;
}

/** The tools of a server. */
export interface ListedTools {
  readonly tools: readonly McpTool[];
  /** What was left out of the list, one sentence each. */
  readonly leftOut: readonly string[];
  /** How long the list counts as what the server has, in milliseconds. */
  readonly freshForMs: number;
}

/** A live connection to one server. Ends once; a new connection is a new session. */
export interface Session {
  readonly info: ServerInfo;
  /** All pages. Throws a SwitchboardError with code `discovery-failed`. */
  listTools(timeoutMs: number): Promise<ListedTools>;
  /**
   * @throws SwitchboardError `call-timeout`, `call-cancelled`, `connection-lost` (with exit code and last stderr lines),
   * or `call-failed` (the server answered with a protocol error)
   */
  callTool(name: string, args: JsonObject, options: CallOptions): Promise<ToolCallResult>;
  /**
   * Waits for the result of a task that a call became, in this session or an earlier one.
   * @throws SwitchboardError as `callTool` does; `call-failed` is the task's end
   */
  followTask(task: TaskRef, options: FollowOptions): Promise<ToolCallResult>;
  /** Asks the server to end a task; never rejects. */
  cancelTask(task: TaskRef): Promise<void>;
  /** Whether the user, or a model, is asked something for the server. */
  readonly isAsking: boolean;
  /** Fires when the server says its tools changed. */
  readonly onToolsChanged: Event<void>;
  /** Fires once when the connection ends by itself. */
  readonly onEnded: Event<ConnectionFailure>;
  /** The server refused something without an account, while it answers the rest. */
  readonly accountNeeded: boolean;
  /** Fires when it refuses such a request. */
  readonly onAccountNeeded: Event<void>;
  /** Pings the server; when it doesn't answer, the session ends and `onEnded` fires. */
  check(timeoutMs: number): Promise<boolean>;
  /**
   * Any other request of the protocol, e.g. `resources/read`; the result as the protocol's schema has it, or an earlier one that
   * holds for as long as the server said.
   * @throws SwitchboardError as `callTool` does
   */
  request(method: string, params: JsonObject, timeoutMs: number, options?: RequestOptions): Promise<JsonObject>;
  /** What is asked for next is asked of the server, however long it said that an earlier answer holds. */
  forgetAnswers(): void;
  /** Changed lists, changed resources that are subscribed to, and the server's log. */
  readonly onNotification: Event<ServerNotification>;
  /**
   * Subscribes to changes of a resource until the result is disposed.
   * @throws SwitchboardError as `callTool` does, where the server refuses
   */
  subscribe(uri: string): Promise<Disposable>;
  /**
   * Sets the level of the server's log, where it has one; for servers of 2026-07-28 with the calls from then on.
   */
  setLogLevel(level: ServerLogLevel): Promise<void>;
  /** Closes it in order; resolves when nothing of it is left. A second call goes to the next step at once. */
  close(grace: StopGrace): Promise<void>;
}

export type { InProcessServer };

/**
 * What to run or reach, every variable expanded, an `envFile` read into the environment, and of a server in this process the
 * server itself.
 */
export type ConnectionSpec =
  | (Extract<TransportSpec, { type: 'stdio' }> & { readonly envFile?: never })
  | Exclude<TransportSpec, { type: 'sdk' | 'stdio' }>
  | { readonly type: 'sdk'; readonly server: InProcessServer };

/** A server to connect. */
export interface ConnectionTarget {
  /** Unique and stable. */
  readonly id: string;
  /** The configured name. */
  readonly name: string;
  readonly scope: Scope;
  /** Hash of what runs; another key for the same id restarts the server. */
  readonly key: string;
  /** Hash of what its tools are remembered by; with another one, a server that waits for its first use is asked for them. */
  readonly listKey?: string;
  /**
   * What to run or reach, every variable expanded. Called for each attempt.
   * @throws SwitchboardError `unresolved-variable`
   */
  resolve(): Promise<ConnectionSpec>;
  /** What authorizes the requests to a remote server, where its definition leaves that to a sign-in. */
  authorization?(spec: ConnectionSpec): Promise<RequestAuthorization | undefined>;
  /** Whether there is an account for it, so that a refusal of before may be out of date. */
  isSignedIn?(): Promise<boolean>;
  /** Milliseconds, where the entry gives one. */
  readonly callTimeoutMs?: number;
  /** Milliseconds, where the entry gives one; in place of the setting. */
  readonly handshakeTimeoutMs?: number;
  /** Milliseconds, in place of the setting. */
  readonly discoveryTimeoutMs?: number;
  /** In place of the settings' timings. */
  readonly timings?: EntryTimings;
  /** Lowest level of the server's own log; without it, the server decides. */
  readonly logLevel?: ServerLogLevel;
  /** In place of the settings' numbers. */
  readonly reconnect?: Partial<BackoffSettings>;
  /** Connect as soon as it is known. */
  readonly autoStart: boolean;
  /**
   * `onDemand`: connected when a call needs it, `manual`: only when the user connects it. Without it, `autoStart` tells
   * `eager` from `manual`.
   */
  readonly startMode?: StartMode;
  /** `onDemand`: nothing is known of its tools yet, so connect once to learn them. */
  readonly needsDiscovery?: boolean;
}

/** A server, connected or not. */
export interface ServerConnection {
  readonly id: string;
  readonly name: string;
  readonly state: ConnectionState;
  /** Empty unless connected. */
  readonly tools: readonly McpTool[];
  /** What was left out of the list of tools, one sentence each. */
  readonly leftOut: readonly string[];
  /** There only while connected. */
  readonly session: Session | undefined;
  /** How many times it was connected since it is known: one more than it was restarted. */
  readonly timesConnected: number;
  /** Masks the server's secrets in a text. */
  readonly mask: Mask;
  /**
   * The session, waiting up to `waitMs` milliseconds for a server that is connecting or reconnecting.
   * @throws SwitchboardError `not-connected` with its state and next attempt; `call-cancelled` where `signal` aborts
   */
  ready(waitMs: number, signal?: AbortSignal): Promise<Session>;
  /** Lists the tools anew where their time is over and the server doesn't say when they change; never rejects. */
  freshen(): Promise<void>;
}

/** A notification: a list or a resource changed, or an entry of the server's log. */
export interface ServerNotification {
  readonly method: string;
  readonly params?: JsonObject;
}

/** Options of any request of the protocol. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CallProgress) => void;
}
