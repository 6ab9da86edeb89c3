import type { JsonObject } from '../base/json/json.ts';
import type { ServerLogLevel } from '../base/log.ts';
import type { OAuthOptions } from './oauthOptions.ts';
import type { CustomTool } from './rules/customTools.ts';
import type { PermissionRule } from './rules/permissionRules.ts';
import type { ToolOverrides } from './rules/toolOverrides.ts';

/** Where a definition comes from. Highest precedence first is the default order (design: *Scopes*). */
export const SCOPES = ['enterprise', 'local', 'project', 'workspace', 'user', 'dynamic', 'cloud'] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes that only the user, or the machine's administrator, writes: their servers need no approval. */
export const OWN_SCOPES: ReadonlySet<Scope> = new Set(['enterprise', 'local', 'user']);

/** A workspace folder: `path` is a file-system path. */
export interface WorkspaceFolder {
  readonly name: string;
  readonly path: string;
}

/**
 * What kind of text a source holds; says which layouts are accepted in it. `mcp`: a file meant for MCP servers alone
 * (a flat map of servers is accepted there); `settings`: a settings file that has servers among other things.
 */
export type SourceFormat = 'mcp' | 'settings';

/** Clients whose files are read only when they are opted in, each on its own (setting `mcpSwitchboard.discovery`). */
export const DISCOVERABLE_CLIENTS = [
  ...(['claude-code', 'claude-desktop', 'cursor', 'windsurf', 'codex', 'gemini', 'cline', 'roo', 'kilo'] as const),
  ...(['opencode', 'zed', 'amazon-q', 'kiro', 'copilot'] as const),
] as const;
export type DiscoverableClient = (typeof DISCOVERABLE_CLIENTS)[number];
/** The clients whose files are read. */
export const CLIENTS = ['vscode', ...DISCOVERABLE_CLIENTS] as const;
export type ClientId = (typeof CLIENTS)[number];

/** One place that servers may be defined in. */
export interface ConfigSource {
  /** Unique and stable, e.g. `project:/home/me/app/.mcp.json`. */
  readonly id: string;
  readonly scope: Scope;
  readonly format: SourceFormat;
  /** For users, e.g. `.mcp.json` or `User setting mcpSwitchboard.servers`. */
  readonly label: string;
  /** File-system path; absent for a source without a file (a setting, added at run time). */
  readonly file?: string;
  /** The workspace folder the source belongs to. */
  readonly folder?: WorkspaceFolder;
  /** Whose file it is: units of time and spellings of variables differ. Without it, the file's name tells. */
  readonly client?: ClientId;
  /** Keys that lead to the object the servers are looked for in, e.g. `['projects', '/home/me/app']`; else the root. */
  readonly within?: readonly string[];
}

/**
 * A place in a source. Lines and columns count from 1 (columns in UTF-16 units); offsets from 0. A byte order mark is
 * not counted, as in the editor's own documents.
 */
export interface SourceRange {
  readonly sourceId: string;
  readonly file?: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly offset: number;
  readonly length: number;
}

export type ProblemSeverity = 'error' | 'warning' | 'hint';

/** A change of a source's text: `length` UTF-16 units at `offset` (both as in `SourceRange`) become `text`. */
export interface TextEdit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** Something wrong in a source: what, where, and how to fix it. */
export interface ConfigProblem {
  /** Stable, e.g. `invalid-args`; quick fixes go by it. */
  readonly code: string;
  readonly severity: ProblemSeverity;
  /** One sentence: what is wrong. */
  readonly message: string;
  /** One sentence: what to do. */
  readonly fix?: string;
  /** What `fix` says as a change of the text, where a machine can do it. */
  readonly edit?: TextEdit;
  readonly range: SourceRange;
  /** The entry it belongs to, if it belongs to one. */
  readonly serverName?: string;
}

/** What would run or be reached, exactly as written: no variable is expanded. */
export type TransportSpec =
  | {
      readonly type: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
      readonly envFile?: string;
    }
  | {
      /** `url`: a URL without a type: Streamable HTTP first, then SSE. `ws`: WebSocket. */
      readonly type: 'http' | 'sse' | 'url' | 'ws';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      /** A command line that prints further headers as a JSON object. */
      readonly headersHelper?: string;
      /** What the entry says of signing in; `false`: there is none. */
      readonly oauth?: OAuthOptions | false;
      /** The one certificate that is trusted there: its SHA-256 fingerprint, 64 hexadecimal digits in upper case. */
      readonly tls?: { readonly fingerprint: string };
    }
  | {
      /** A server inside another extension, in this very process; only that extension can make it. */
      readonly type: 'sdk';
      /** The extension's id. */
      readonly extension: string;
      /** What the extension calls it. */
      readonly server: string;
    };

/** A server in this very process: one that takes a transport, or one that answers requests (protocol 2026-07-28). */
export type InProcessServer =
  | { readonly kind: 'transport'; connect(transport: unknown): Promise<void> }
  | { readonly kind: 'fetch'; fetch(request: Request): Promise<Response> };

/** Something the user is asked for, or a command that gives a value: an item of VS Code's `inputs`. */
export type InputDefinition = { readonly id: string; readonly description?: string } & (
  | { readonly type: 'promptString'; readonly password: boolean; readonly default?: string }
  | {
      readonly type: 'pickString';
      readonly options: readonly { readonly label: string; readonly value: string }[];
      readonly default?: string;
    }
  /** `args`: anything, given to the command as it is. */
  | { readonly type: 'command'; readonly command: string; readonly args?: unknown }
);

/** A variable in a field of an entry. */
export interface VariableUse {
  /** What stands between the braces, without a default, e.g. `TOKEN` or `input:key`. */
  readonly variable: string;
  /** e.g. `env.API_KEY` or `args[1]`, as in `MissingVariable`. */
  readonly field: string;
  /** The variable, or the text that it is in where it can't be told apart. */
  readonly range: SourceRange;
  /** As it stands in the file, where that is another client's spelling, e.g. `$TOKEN`. */
  readonly written?: string;
}

/** Which of a server's tools an entry offers, by name or glob. A tool has to pass both lists. */
export interface ToolFilter {
  /** Only these; absent: all. */
  readonly enabled?: readonly string[];
  readonly disabled?: readonly string[];
}

/** When a server is connected: at the start, by its first call, or when the user connects it. */
export const START_MODES = ['eager', 'onDemand', 'manual'] as const;
export type StartMode = (typeof START_MODES)[number];

/** Timings of one server’s connection that replace the settings’. */
export interface EntryTimings {
  readonly slowStartMs?: number;
  readonly installMs?: number;
  readonly listDebounceMs?: number;
  readonly keepAliveMs?: number;
}

/** How a lost server comes back; what is absent is as the settings say. */
export interface ReconnectNumbers {
  readonly initialDelayMs?: number;
  readonly maxDelayMs?: number;
  readonly maxAttempts?: number;
  /** A connection that held this long starts the count anew. */
  readonly healthyAfterMs?: number;
}

/** One server as one source defines it. */
export interface ServerEntry {
  readonly name: string;
  readonly scope: Scope;
  readonly source: ConfigSource;
  /** Of the entry's name in its source. */
  readonly range: SourceRange;
  readonly transport: TransportSpec;
  /** The key of the file that the entry stands under, e.g. `mcpServers`; `undefined` in a flat map of servers. */
  readonly section?: string;
  /** The entry says so itself (`disabled: true`, `enabled: false`). */
  readonly disabled: boolean;
  /** The label of another source that switches it off. */
  readonly disabledIn?: string;
  /** Call time-out in milliseconds, where the entry gives one. */
  readonly callTimeoutMs?: number;
  /** Time-out of the start in milliseconds, where the entry gives one. */
  readonly handshakeTimeoutMs?: number;
  readonly discoveryTimeoutMs?: number;
  readonly timings?: EntryTimings;
  readonly reconnect?: ReconnectNumbers;
  readonly startMode?: StartMode;
  readonly logLevel?: ServerLogLevel;
  readonly tools?: ToolFilter;
  /** What it says of single tools; from a workspace's files only what makes them safer. */
  readonly toolOverrides?: ToolOverrides;
  /** Tools made of the server's own. */
  readonly customTools?: readonly CustomTool[];
  /** Rules for calls of its tools (`permissions.rules`); from a workspace's files only what makes them stricter. */
  readonly permissionRules?: readonly PermissionRule[];
  /** Its tools are always in the model's list. */
  readonly alwaysLoad?: boolean;
  /** Tools that the entry wants to run without a question. Whether they may is for the policy to say, by scope. */
  readonly autoApprove?: readonly string[];
  /** The entry asks to be run in the editor's sandbox. */
  readonly sandboxed?: boolean;
  /** The inputs that the entry's variables name. */
  readonly inputs?: readonly InputDefinition[];
  /** What its `envFile` sets: names, and a hash of each value. Known where others write the entry; see `EnvFiles`. */
  readonly envVariables?: Readonly<Record<string, string>>;
  /** The server of an MCP registry that it was made of; says nothing of what runs. */
  readonly registry?: { readonly name: string; readonly version: string };
  /** The variables in the entry, in the order of its fields. */
  readonly variables?: readonly VariableUse[];
}

export type SourceStatus = 'found' | 'absent' | 'broken';

/** An entry that can't be used, and the first problem that makes it so. */
export interface BrokenEntry {
  readonly name: string;
  /** Of the entry's name in its source. */
  readonly range: SourceRange;
  readonly problem: ConfigProblem;
  /** It says that it is disabled: then its problem is only a hint. */
  readonly disabled?: boolean;
}

/**
 * One rule of a list of allowed or denied servers. `name` and `url` are globs; `command` is a list of globs, one per word
 * of the command line, of which a last `**` stands for any further words.
 */
export type ServerRule =
  | { readonly kind: 'name'; readonly pattern: string }
  | { readonly kind: 'url'; readonly pattern: string }
  | { readonly kind: 'command'; readonly words: readonly string[] };

/** Lists of servers that may and may not run. `allowed` absent: no restriction; empty: none may. */
export interface ServerRules {
  readonly allowed?: readonly ServerRule[];
  readonly denied: readonly ServerRule[];
}

/** What one source gave. An entry that is broken is in `problems` and `broken` only. */
export interface SourceResult {
  readonly source: ConfigSource;
  readonly status: SourceStatus;
  readonly entries: readonly ServerEntry[];
  readonly problems: readonly ConfigProblem[];
  readonly broken?: readonly BrokenEntry[];
  /** Names of servers of the same client, defined in a source below this one, that this one switches off. */
  readonly switchedOff?: readonly string[];
  /** Names of servers of `.mcp.json` in the same folder that this source switches off. */
  readonly projectServersOff?: readonly string[];
  /** Rules for calls of any server's tools; they only tighten. */
  readonly toolRules?: readonly PermissionRule[];
  /** Hooks for calls, in the form of the setting `hooks`; they run once they are approved. */
  readonly hooks?: JsonObject;
  /** The lists of a managed file (scope `enterprise`) or of Claude Code's settings, where it has any. */
  readonly rules?: ServerRules;
  /** The file doesn't parse and `entries` are those of the last time that it did. */
  readonly stale: boolean;
}

/** Everything that all sources say at one moment. Immutable. */
export interface ConfigSnapshot {
  readonly results: readonly SourceResult[];
}
