import { readCustomTools } from './customTools.ts';
import type { EntryReader } from '../read/entryReader.ts';
import { entryRules } from './entryRules.ts';
import { plainValue, valueAt, type ConfigNode } from '../syntax/configNode.ts';
import { readOverrides } from './toolOverrides.ts';
import { pointerOf, type ToolRuleProblem } from './toolProblems.ts';
import type { Scope, ServerEntry } from '../configTypes.ts';

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
    message: `A project may only make tools safer, so its custom tool ${name} is left out.`,
    fix: 'Put the server with its custom tools into your own settings.',
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
