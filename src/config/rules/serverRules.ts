import { isRecord } from '../../base/json/json.ts';
import type { ServerRule, ServerRules } from '../configTypes.ts';

/**
 * Reads a list of rules, as a setting or a managed file has it. An item is a name glob, or an object with one of `name`
 * (`serverName`), `url` (`serverUrl`) and `command` (`serverCommand`; a list of words, or one text).
 * @returns the rules, and the places in the list of items that make no sense
 */
export function readRules(value: unknown): {
  readonly rules: readonly ServerRule[];
  readonly invalid: readonly number[];
} {
  const rules: ServerRule[] = [];
  const invalid: number[] = [];
  for (const [index, item] of (Array.isArray(value) ? value : []).entries()) {
    const rule = readRule(item);
    if (rule) rules.push(rule);
    else invalid.push(index);
  }
  return { rules, invalid };
}

/**
 * The two lists together. An allow list with an item that makes no sense still is one, with less in it; a deny list with
 * one denies everything, since nobody can tell what was meant.
 * @param emptyAllows whether an empty allow list means that there is no restriction, as in a setting
 */
export function readRuleLists(
  allowed: unknown,
  denied: unknown,
  options: { readonly emptyAllows: boolean },
): ServerRules {
  const allow = readRules(allowed);
  const deny = readRules(denied);
  const restricts = Array.isArray(allowed) && (allowed.length > 0 || !options.emptyAllows);
  return {
    ...(restricts ? { allowed: allow.rules } : {}),
    denied: deny.invalid.length > 0 ? [...deny.rules, { kind: 'name', pattern: '*' }] : deny.rules,
  };
}

/** The rule as a user would write it, e.g. `command npx -y @corp/*`. */
export function describeRule(rule: ServerRule): string {
  return rule.kind === 'command' ? `command ${rule.words.join(' ')}` : `${rule.kind} ${rule.pattern}`;
}

function readRule(item: unknown): ServerRule | undefined {
  if (typeof item === 'string') return item === '' ? undefined : { kind: 'name', pattern: item };
  if (!isRecord(item)) return undefined;
  const name = item['name'] ?? item['serverName'];
  const url = item['url'] ?? item['serverUrl'];
  const command = item['command'] ?? item['serverCommand'];
  const given = [name, url, command].filter((value) => value !== undefined);
  if (given.length !== 1) return undefined;
  if (typeof name === 'string' && name !== '') return { kind: 'name', pattern: name };
  if (typeof url === 'string' && url !== '') return { kind: 'url', pattern: url };
  const words: unknown[] =
    typeof command === 'string' ? command.trim().split(/\s+/) : Array.isArray(command) ? command : [];
  return words.length > 0 && words.every((word) => typeof word === 'string' && word !== '')
    ? { kind: 'command', words: words as string[] }
    : undefined;
}
