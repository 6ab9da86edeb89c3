import type { JsonObject } from '../../base/json/json.ts';

/** A command that is told of calls, in the shape of Claude Code's settings. */
export interface CommandHook {
  readonly command: string;
  readonly timeoutMs: number;
}

/** Hooks for the tools that a matcher fits. */
export interface HookGroup {
  /** A regular expression for the whole name of a tool; empty or `*`: every tool. */
  readonly matcher: string;
  readonly hooks: readonly CommandHook[];
  /** It has hooks that can't be run here. */
  readonly isPartial?: true;
  /** A workspace's hook can tighten, never allow. */
  readonly source: 'user' | 'workspace';
}

export const HOOK_EVENTS = ['PreToolUse', 'PostToolUse'] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];
export type HookGroups = Readonly<Record<HookEvent, readonly HookGroup[]>>;

/** What a hook that fails comes to: `block` stops the call (before it) or is told to the model (after it). */
export const HOOK_FAILURES = ['block', 'ignore'] as const;
export type HookFailure = (typeof HOOK_FAILURES)[number];

/** What a hook gets on stdin. */
export interface HookInput {
  readonly hook_event_name: HookEvent;
  readonly session_id: string;
  readonly cwd: string;
  /** Callable name of the tool that is called; of a custom or renamed one, with the server's own name of it. */
  readonly tool_name: string;
  /** As the server gets them. */
  readonly tool_input: JsonObject;
  /** After the call. */
  readonly tool_response?: unknown;
}

/** What hooks say of a call. */
export interface HookVerdict {
  readonly decision?: 'allow' | 'ask' | 'deny';
  readonly reason?: string;
  /** In place of the arguments. */
  readonly input?: JsonObject;
  /** In place of the result's text. */
  readonly output?: string;
  /** Said to the model beside the result. */
  readonly note?: string;
}

/** What hooks say where there are none. */
export const NO_VERDICT: HookVerdict = {};

/** A hook of another extension, through the exported API. */
export interface CodeHook {
  /** The extension that it is of, by its id. */
  readonly owner?: string;
  readonly event: HookEvent;
  readonly matcher: string;
  /** Nothing given: go on. What it throws counts as a hook that failed. */
  run(input: HookInput, signal: AbortSignal): Promise<HookVerdict | undefined | void> | HookVerdict | undefined | void;
}

/** What became of a hook: what it says, or why it can't be told. `missing`: its script isn't there; `denied`: by a list. */
export type HookOutcome =
  | { readonly kind: 'said'; readonly verdict: HookVerdict }
  | { readonly kind: 'failed' | 'missing' | 'denied'; readonly why: string };

/** What hooks are run with. */
export interface HookPorts {
  settings(): { readonly hooks: HookGroups; readonly hookFailure: HookFailure };
  /** The project's folder. */
  cwd(): string;
  /** Whether the user trusts it. */
  isTrusted(): boolean;
  /** The extension's storage, where hooks of the user run; without it, in a temporary folder. */
  readonly stateDir: string | undefined;
  /** Why the allow and deny lists don't let a command run. */
  denialOf(command: string): Promise<string | undefined>;
  readonly sessionId: string;
}
