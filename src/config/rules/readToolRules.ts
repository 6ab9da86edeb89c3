import { readCustomTools } from './customTools.ts';
import type { EntryReader } from '../read/entryReader.ts';
import { plainValue, valueAt, type ConfigNode } from '../syntax/configNode.ts';
import { readOverrides, type ToolRuleProblem } from './toolOverrides.ts';
import { OWN_SCOPES, type Scope, type ServerEntry } from '../configTypes.ts';
import { isRecord, pointerOf } from '../../base/json/json.ts';
import { say } from '../../base/say.ts';
import { readRules, type PermissionRule } from './permissionRules.ts';

/** Scopes whose files others write: what they say of tools may only make them safer (design: *Trust*). */
const ONLY_TIGHTENING: ReadonlySet<Scope> = new Set(['project', 'workspace', 'cloud']);

/**
 * Reads `toolOverrides`, `customTools` and `permissions`. What is wrong with them is a warning: the server runs without
 * that part.
 */
export function readToolRules(
  reader: EntryReader,
  scope: Scope,
): Pick<ServerEntry, 'toolOverrides' | 'customTools' | 'permissionRules'> {
  const onlyTightening = ONLY_TIGHTENING.has(scope);
  const { overrides, problems } = readOverrides(valueOf(reader, 'toolOverrides'), onlyTightening);
  report(reader, 'toolOverrides', problems);
  const custom = readCustomTools(valueOf(reader, 'customTools'));
  report(reader, 'customTools', custom.problems);
  const tools = onlyTightening ? [] : custom.tools;
  if (onlyTightening) report(reader, 'customTools', custom.tools.map(notHere));
  const permissions = entryRules(valueOf(reader, 'permissions'), reader.name, scope);
  report(reader, 'permissions', permissions.problems);
  return {
    ...(overrides.size > 0 ? { toolOverrides: overrides } : {}),
    ...(tools.length > 0 ? { customTools: tools } : {}),
    ...(permissions.rules.length > 0 ? { permissionRules: permissions.rules } : {}),
  };
}

function valueOf(reader: EntryReader, key: string): unknown {
  const node = reader.value(key);
  return node && node.type !== 'null' ? plainValue(node) : undefined;
}

function notHere({ name }: { readonly name: string }): ToolRuleProblem {
  return {
    code: 'not-tightening',
    pointer: pointerOf(name),
    message: say`A project may only make tools safer, so its custom tool ${name} is left out.`,
    fix: say`Put the server with its custom tools into your own settings.`,
  };
}

function report(reader: EntryReader, key: string, problems: readonly ToolRuleProblem[]): void {
  const root = reader.value(key);
  if (!root) return;
  for (const { code, pointer, message, fix } of problems)
    reader.report(nodeAt(root, pointer), code, 'warning', { message, fix });
}

/** The node that a JSON pointer names, or the nearest one above it that exists. */
function nodeAt(root: ConfigNode, pointer: string): ConfigNode {
  let node = root;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    const next: ConfigNode | undefined = node.type === 'array' ? node.children?.[Number(key)] : valueAt(node, key);
    if (!next) break;
    node = next;
  }
  return node;
}

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
  const { rules, problems } = readRules(list, { source: 'entry', mayAllow: OWN_SCOPES.has(scope), server });
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
  message: say`\`permissions\` has no list of rules.`,
  fix: say`Write \`{ "rules": [{ "tool": "…", "action": "ask" }] }\`.`,
};

function unknownKey(key: string): { readonly message: string; readonly fix: string } {
  return { message: say`\`permissions\` of an entry has no \`${key}\`.`, fix: say`Put rules under \`rules\`.` };
}
