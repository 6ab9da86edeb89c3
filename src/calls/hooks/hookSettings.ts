import { isRecord } from '../../base/json.ts';
import { matchesGlob } from '../../base/glob.ts';
import { HOOK_EVENTS, type CommandHook, type HookGroup, type HookGroups } from './hookTypes.ts';

/** The longest that a hook may take, in milliseconds. */
export const HOOK_LIMIT_MS = 10_000;

/**
 * Reads the setting `hooks`: `{ "PreToolUse": [{ "matcher": "…", "hooks": [{ "type": "command", "command": "…" }] }] }`.
 * Hooks for other events and of other types are left out.
 */
export function readHooks(value: unknown, source: HookGroup['source']): HookGroups {
  const settings = isRecord(value) ? value : {};
  const [PreToolUse, PostToolUse] = HOOK_EVENTS.map((event) => {
    const groups = Array.isArray(settings[event]) ? (settings[event] as unknown[]) : [];
    return groups.filter(isRecord).map((group) => ({
      matcher: typeof group['matcher'] === 'string' ? group['matcher'] : '',
      hooks: (Array.isArray(group['hooks']) ? (group['hooks'] as unknown[]) : []).flatMap(readHook),
      source,
    }));
  });
  return { PreToolUse: PreToolUse ?? [], PostToolUse: PostToolUse ?? [] };
}

function readHook(value: unknown): readonly CommandHook[] {
  if (!isRecord(value) || (value['type'] ?? 'command') !== 'command') return [];
  const { command, timeout } = value;
  if (typeof command !== 'string' || command === '') return [];
  // Seconds, as in Claude Code.
  const timeoutMs = typeof timeout === 'number' && timeout > 0 ? timeout * 1000 : HOOK_LIMIT_MS;
  return [{ command, timeoutMs: Math.min(timeoutMs, HOOK_LIMIT_MS) }];
}

/**
 * Whether a matcher is for a tool. It is a list of globs separated by `|`; `.*`, as in the regular expressions that
 * existing matchers are, counts as `*`.
 */
export function matcherFits(matcher: string, callableName: string): boolean {
  if (matcher === '' || matcher === '*') return true;
  return matcher
    .replaceAll(/^\^|\$$/g, '')
    .split('|')
    .some((part) => matchesGlob(callableName, part.trim().replaceAll(/\.[*+]/g, '*')));
}

export function hasHooks(groups: HookGroups): boolean {
  return HOOK_EVENTS.some((event) => groups[event].some(({ hooks }) => hooks.length > 0));
}
