import type { PermissionRule } from '../config/rules/permissionRules.ts';
import type { HookGroups, HookFailure } from './hooks/hookTypes.ts';
import type { AnnotationTrust, ApprovalMode } from './policy/callPolicy.ts';
import type { RetrySettings } from './callRetries.ts';
import { DEFAULT_WRITE_PATTERNS } from './plan/writePatterns.ts';

/** How long a call waits for a server that is connecting or reconnecting, in milliseconds. */
export const READY_WAIT_MS = 3_000;

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
  /** How many reading calls of one server run at the same time. */
  readonly callConcurrency: number;
  /** Keep arguments and results in the history, masked. */
  readonly historyContent: boolean;
  /** File that every call is written to as a line of JSON. */
  readonly auditFile?: string;
}

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
  callConcurrency: 8,
  historyContent: false,
};
