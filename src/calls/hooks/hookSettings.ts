import { isRecord } from '../../base/json/json.ts';
import { HOOK_EVENTS, type CommandHook, type HookGroup, type HookGroups } from './hookTypes.ts';

/** The longest that a hook may take, in milliseconds. */
export const HOOK_LIMIT_MS = 10_000;

/**
 * Reads the setting `hooks`: `{ "PreToolUse": [{ "matcher": "…", "hooks": [{ "type": "command", "command": "…" }] }] }`.
 * Hooks for other events are left out; what can't be read of the others makes its group `isPartial`.
 */
export function readHooks(value: unknown, source: HookGroup['source']): HookGroups {
  const settings = isRecord(value) ? value : {};
  const [PreToolUse, PostToolUse] = HOOK_EVENTS.map((event) => {
    const groups: unknown[] = [settings[event] ?? []].flat();
    return groups.map((value): HookGroup => {
      const group = isRecord(value) ? value : {};
      const given: unknown[] = [group['hooks']].flat();
      const hooks = given.flatMap(readHook);
      const matcher = typeof group['matcher'] === 'string' ? group['matcher'] : '';
      return { matcher, hooks, source, ...(hooks.length < given.length ? { isPartial: true } : {}) };
    });
  });
  return { PreToolUse: PreToolUse ?? [], PostToolUse: PostToolUse ?? [] };
}

export function joinedHooks(all: readonly HookGroups[]): HookGroups {
  return {
    PreToolUse: all.flatMap(({ PreToolUse }) => PreToolUse),
    PostToolUse: all.flatMap(({ PostToolUse }) => PostToolUse),
  };
}

/** Claude Code's conditions and options of a hook; without them it would run at other times, or otherwise. */
const OPTIONS = ['if', 'async', 'asyncRewake', 'args', 'shell'];

function readHook(value: unknown): readonly CommandHook[] {
  if (!isRecord(value) || (value['type'] ?? 'command') !== 'command') return [];
  if (OPTIONS.some((name) => name in value)) return [];
  const { command, timeout } = value;
  if (typeof command !== 'string' || command === '') return [];
  // Seconds, as in Claude Code.
  const timeoutMs = typeof timeout === 'number' && timeout > 0 ? timeout * 1000 : HOOK_LIMIT_MS;
  return [{ command, timeoutMs: Math.min(timeoutMs, HOOK_LIMIT_MS) }];
}

export function hasHooks(groups: HookGroups): boolean {
  return HOOK_EVENTS.some((event) => groups[event].some(({ hooks, isPartial }) => hooks.length > 0 || isPartial));
}
