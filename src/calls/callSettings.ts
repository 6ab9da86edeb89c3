import type { PermissionRule } from '../config/rules/permissionRules.ts';
import type { HookGroups, HookFailure } from './hooks/hookTypes.ts';
import type { RetrySettings } from './scheduling/callSender.ts';

/** How long a call waits for a server that is connecting or reconnecting, in milliseconds. */
export const READY_WAIT_MS = 3_000;

/** `policy`: follow rules and annotations; `askAlways`: ask for every call; `denyWrites`: allow only read-only tools. */
export const APPROVAL_MODES = ['policy', 'askAlways', 'denyWrites'] as const;
export type ApprovalMode = (typeof APPROVAL_MODES)[number];

/** Which annotations of a server count: all, only the one that a tool is destructive, none. */
export const ANNOTATION_TRUST = ['all', 'destructiveOnly', 'none'] as const;
export type AnnotationTrust = (typeof ANNOTATION_TRUST)[number];

/** Settings for calls. A changed list is a new array, so that results derived from it can be cached by identity. */
export interface CallSettings {
  readonly rules: readonly PermissionRule[];
  readonly approvalMode: ApprovalMode;
  /** By configured server name; `*` for all others. */
  readonly trustAnnotations: Readonly<Record<string, AnnotationTrust>>;
  readonly writePatterns: readonly string[];
  readonly hooks: HookGroups;
  readonly hookFailure: HookFailure;
  readonly retry: RetrySettings;
  /** Results over this many tokens go to a file. */
  readonly maxResultTokens: number;
  /** How many reading calls of one server run at the same time; 0: as many as don't make it slower. */
  readonly callConcurrency: number;
  /** How long a call waits for a task of its server before the model gets a handle, in milliseconds; 0: to its end. */
  readonly handOverMs: number;
  /** Keep arguments and results in the history, masked. */
  readonly historyContent: boolean;
  /** File that every call is written to as a line of JSON. */
  readonly auditFile?: string;
}

// Words that are as often a noun (run, post, merge, patch, set) are left out: a harmless tool is not asked about for one.
const VERBS = [
  ...['create', 'add', 'insert', 'write', 'update', 'edit', 'modify', 'replace', 'append', 'rename', 'move', 'delete'],
  ...['remove', 'drop', 'destroy', 'purge', 'truncate', 'erase', 'wipe', 'overwrite', 'send', 'publish', 'upload'],
  ...['deploy', 'execute', 'kill', 'install', 'uninstall', 'revoke'],
];

/** Names that say that a tool writes, whatever its annotations say (setting `planMode.writePatterns`). */
export const DEFAULT_WRITE_PATTERNS: readonly string[] = VERBS.map((verb) => `mcp_*_${verb}_*`);

/** What holds where nothing is set. */
export const DEFAULT_CALL_SETTINGS: CallSettings = {
  rules: [],
  approvalMode: 'policy',
  trustAnnotations: {},
  writePatterns: DEFAULT_WRITE_PATTERNS,
  hooks: { PreToolUse: [], PostToolUse: [] },
  hookFailure: 'block',
  retry: { maxAttempts: 3, initialDelayMs: 500, multiplier: 2, maxDelayMs: 8_000 },
  maxResultTokens: 25_000,
  callConcurrency: 0,
  handOverMs: 20_000,
  historyContent: false,
};
