import { isRecord } from '../../base/json.ts';
import { readRules, type PermissionRule } from './permissionRules.ts';
import { pointerOf, type ToolRuleProblem } from './toolProblems.ts';
import type { Scope } from '../configTypes.ts';

/** Scopes of the person's and the organisation's own; what others write can only make calls stricter (design: *Trust*). */
const MAY_ALLOW: ReadonlySet<Scope> = new Set(['enterprise', 'local', 'user']);

/**
 * Reads `permissions` of an entry: `{ "rules": [ … ] }`, as in the settings, for the tools of that server alone.
 * @param server the entry's name
 */
export function entryRules(
  value: unknown,
  server: string,
  scope: Scope,
): { readonly rules: readonly PermissionRule[]; readonly problems: readonly ToolRuleProblem[] } {
  if (value === undefined) return { rules: [], problems: [] };
  const list = isRecord(value) ? value['rules'] : undefined;
  if (!isRecord(value) || (list !== undefined && !Array.isArray(list))) {
    const pointer = isRecord(value) ? pointerOf('rules') : '';
    return { rules: [], problems: [{ code: 'invalid-rule', pointer, ...NO_LIST }] };
  }
  const { rules, problems } = readRules(list, { source: 'entry', mayAllow: MAY_ALLOW.has(scope), server });
  return {
    rules,
    problems: [
      ...Object.keys(value)
        .filter((key) => key !== 'rules')
        .map((key) => ({ code: 'invalid-rule' as const, pointer: pointerOf(key), ...unknownKey(key) })),
      ...problems.map(({ code, index, member, message, fix }) => ({
        code,
        pointer: pointerOf('rules', String(index), ...(member === undefined ? [] : [member])),
        message,
        fix,
      })),
    ],
  };
}

const NO_LIST = {
  message: '`permissions` has no list of rules.',
  fix: 'Write `{ "rules": [{ "tool": "…", "action": "ask" }] }`.',
};

function unknownKey(key: string): { readonly message: string; readonly fix: string } {
  return { message: `\`permissions\` of an entry has no \`${key}\`.`, fix: 'Put rules under `rules`.' };
}
