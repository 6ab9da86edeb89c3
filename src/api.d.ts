/**
 * What MCP Switchboard exports to other extensions. Copy this file; it imports nothing. How to use it, and what it can't
 * protect from: docs/api.md.
 *
 * Within a version, members are only added. `getApi` throws for a version that this installation doesn't have.
 */
export interface SwitchboardExports {
  /**
   * @param version 1 is the only one yet
   * @param caller your `ExtensionContext` or `Extension`: questions to the user name it. Without it, the extension is
   * found by the call stack.
   * @throws Error with `code` `unsupported` for another version, `invalid-arguments` for an extension that isn't installed
   */
  readonly getApi: (version: 1, caller?: ApiCaller) => SwitchboardApi;
}

export type ApiCaller = { readonly id: string } | { readonly extension: { readonly id: string } };

export interface Disposable {
  dispose(): void;
}

export type Event<T> = (listener: (value: T) => unknown) => Disposable;

/** As the editor's `CancellationToken`. */
export interface CancellationToken {
  readonly isCancellationRequested: boolean;
  readonly onCancellationRequested: (listener: () => unknown) => Disposable;
}

/** What is thrown and rejected with has a `code` to branch on; the message is for users and models. */
export interface ApiError extends Error {
  readonly code: string;
  /** Of `config.setFromJson`: what is wrong with the text. */
  readonly problems?: readonly ConfigProblem[];
}

export interface SwitchboardApi {
  readonly version: 1;

  /** Every server that is defined anywhere, as it is now. */
  readonly servers: readonly Server[];
  /** A server came, went or changed its state or its tools; `servers` and `tools` have what is now. */
  readonly onDidChangeServers: Event<void>;

  readonly config: ServerConfig;

  /** Every tool of every server that is connected, or is about to be and whose tools are remembered. */
  readonly tools: readonly Tool[];
  /**
   * Searches them as the model's `mcp_tool_search` does, waiting a moment for servers that are connecting.
   * @throws ApiError `invalid-arguments` for a pattern that isn't one
   */
  readonly searchTools: (query: string, options?: SearchOptions) => Promise<SearchResult>;
  /**
   * Calls a tool under the user's permissions, as every other call: its rules, its questions (which name your extension), plan
   * mode, hooks and history.
   * @param name callable name, as `Tool.name`
   * @throws ApiError `unknown-tool`, `invalid-arguments`, `denied`, `not-connected`, `call-timeout`, `call-cancelled`,
   * `connection-lost`, `call-failed` or `tool-error`
   */
  readonly callTool: (name: string, args?: Record<string, unknown>, options?: CallOptions) => Promise<CallResult>;

  /**
   * Adds a server to the scope `dynamic` until it is disposed of or the window closes. It appears in the tree with your
   * extension as its origin, and starts once the user has approved it; the approval is remembered for the same definition.
   * @throws ApiError `invalid-arguments` for a definition that can't be used, or a second server of one name
   */
  readonly registerServer: (definition: ServerDefinition) => RegisteredServer;

  /** Adds a hook, which sees calls before or after they are made. It can tighten what happens, never allow it. */
  readonly registerHook: (hook: Hook) => Disposable;

  /** Calls, searches, and servers that connect and disconnect; never with arguments or results. */
  readonly onEvent: Event<SwitchboardEvent>;
}

/** Highest precedence first, as set by default. */
export type Scope = 'enterprise' | 'local' | 'project' | 'workspace' | 'user' | 'dynamic' | 'cloud';

export interface Server {
  readonly id: string;
  /** The configured name. */
  readonly name: string;
  readonly scope: Scope;
  /** Where it is defined. `label` is for display; lines count from 1. */
  readonly origin: { readonly label: string; readonly file?: string; readonly line?: number };
  readonly transport: 'stdio' | 'http' | 'sse' | 'url' | 'ws' | 'sdk';
  readonly state: ServerState;
  readonly toolCount: number;
}

export interface ServerState {
  readonly kind:
    | 'disabled'
    | 'blocked'
    | 'shadowed'
    | 'problem'
    | 'disconnected'
    | 'connecting'
    | 'installing'
    | 'connected'
    | 'pending'
    | 'needs-auth'
    | 'failed';
  /** For display, with the reason. */
  readonly text: string;
  /** It needs the user's approval. */
  readonly needsApproval: boolean;
}

/** The scopes whose place can be written: `.mcp.json`, `.vscode/mcp.json`, the user setting, this machine's own file. */
export type WritableScope = 'project' | 'workspace' | 'user' | 'local';

export interface ServerConfig {
  /** Names of all servers that are defined anywhere, those that can't be used included; each once. */
  readonly serverNames: readonly string[];
  readonly hasServers: boolean;
  /** Everything that is wrong in any source. */
  readonly problems: readonly ConfigProblem[];
  /**
   * The text of a scope's own place, as it is: what `setFromJson` takes. An empty map of servers where there is none.
   * In a workspace of several folders, the first folder's.
   * @throws ApiError `unsupported` where the scope has no place here, e.g. `project` with no folder open
   */
  readonly getAsJson: (scope: WritableScope) => Promise<string>;
  /**
   * Puts a text (JSON, comments allowed) in place of a scope's. A text with an error in it is refused and nothing is
   * changed. In the scopes `user` and `local`, whose servers start without an approval, the user is asked about
   * servers that are new or changed.
   * @returns what is still to be said of the text: warnings and hints
   * @throws ApiError `invalid-arguments` with `problems`; `denied` where the user denied it; `unsupported` as above, or
   * where the file is open with changes that aren't saved
   */
  readonly setFromJson: (scope: WritableScope, text: string) => Promise<readonly ConfigProblem[]>;
}

export interface ConfigProblem {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'hint';
  readonly message: string;
  /** What to do about it. */
  readonly fix?: string;
  readonly file?: string;
  /** Line and column count from 1. */
  readonly line: number;
  readonly column: number;
  readonly serverName?: string;
}

export interface Tool {
  /** Callable name, `mcp__<server>__<tool>`: unique and stable. */
  readonly name: string;
  readonly serverName: string;
  /** The server's own name of it. */
  readonly toolName: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  /** What it may do, by its annotations; one that says nothing counts as `destructive`. */
  readonly effect: 'read-only' | 'writes' | 'destructive';
}

export interface SearchOptions {
  /** 10 when absent. */
  readonly limit?: number;
  /** Take the query as a regular expression. */
  readonly regex?: boolean;
  /** Only this server's. */
  readonly server?: string;
  readonly token?: CancellationToken;
}

export interface SearchResult {
  /** Best first. */
  readonly tools: readonly Tool[];
  /** How many fit in all. */
  readonly total: number;
  /** Servers that are meant to be there and aren't. */
  readonly unavailable: readonly { readonly serverName: string; readonly state: string }[];
}

export interface CallOptions {
  readonly token?: CancellationToken;
  /** The editor's `toolInvocationToken`, where you have one: questions then come up in that chat. */
  readonly toolInvocationToken?: unknown;
  readonly onProgress?: (progress: {
    readonly progress: number;
    readonly total?: number;
    readonly message?: string;
  }) => void;
}

export interface CallResult {
  readonly content: readonly ContentPart[];
}

export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'data'; readonly mimeType: string; readonly data: Uint8Array };

/** Variables such as `${workspaceFolder}` and `${env:NAME}` are replaced when it starts. */
export type ServerDefinition = { readonly name: string } & (
  | {
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | {
      readonly url: string;
      /** Without it, Streamable HTTP and then SSE. */
      readonly type?: 'http' | 'sse' | 'ws';
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      /** Called for each connection. The message of a rejection is shown to the user. */
      createServer(): InProcessServer | Promise<InProcessServer>;
    }
);

/**
 * A server in your extension: what takes a transport, such as an `McpServer` of the SDK (protocol 2025-11-25 and before),
 * or what answers requests, such as the SDK's `createMcpHandler` (2026-07-28).
 */
export type InProcessServer =
  { connect(transport: never): Promise<void> } | { fetch(request: Request): Response | Promise<Response> };

export interface RegisteredServer extends Disposable {
  /** As in `Server.id`. */
  readonly id: string;
}

export interface Hook {
  readonly event: 'PreToolUse' | 'PostToolUse';
  /** A regular expression for the whole name of a tool; every tool when absent. */
  readonly matcher?: string;
  /** A rejection, or no answer within ten seconds, denies before a call and leaves a note after it. */
  run(input: HookInput, token: CancellationToken): HookVerdict | undefined | Promise<HookVerdict | undefined>;
}

export interface HookInput {
  readonly event: 'PreToolUse' | 'PostToolUse';
  /** Callable name of the tool that is called; of a custom or renamed one, with the server's own name of it. */
  readonly tool: string;
  /** As the server gets them. */
  readonly args: Record<string, unknown>;
  /** After the call: what it gave. */
  readonly result?: unknown;
}

export interface HookVerdict {
  readonly decision?: 'ask' | 'deny';
  /** Shown to the user and, for a denial, told to the model. */
  readonly reason?: string;
  /** Before the call: in place of the arguments. They are validated, and shown in the question. */
  readonly args?: Record<string, unknown>;
  /** After the call: in place of the result's text. */
  readonly output?: string;
  /** Said to the model beside the result. */
  readonly note?: string;
}

export type SwitchboardEvent =
  | {
      readonly type: 'tool.call';
      readonly name: string;
      readonly serverName: string;
      readonly surface: string;
      /** The extension that calls, by its id, where it isn't the agent. */
      readonly caller?: string;
    }
  | {
      readonly type: 'tool.result';
      readonly name: string;
      readonly serverName: string;
      readonly surface: string;
      readonly caller?: string;
      readonly ok: boolean;
      readonly durationMs: number;
      /** By code, where it isn't ok. */
      readonly error?: string;
    }
  | { readonly type: 'tool.search'; readonly resultCount: number; readonly total: number }
  | { readonly type: 'tool.dynamicLoad'; readonly names: readonly string[] }
  | { readonly type: 'server.connecting'; readonly serverName: string }
  | {
      readonly type: 'server.connected';
      readonly serverName: string;
      readonly toolCount: number;
      /** How long it took. */
      readonly durationMs: number;
    }
  | {
      readonly type: 'server.disconnected';
      readonly serverName: string;
      /** How long it was connected. */
      readonly durationMs: number;
    }
  | {
      readonly type: 'server.error';
      readonly serverName: string;
      /** By code. */
      readonly error: string;
      readonly durationMs: number;
    };
