import { isClaudeSettings } from '../rules/claudeSettings.ts';
import type { ConfigSource, TextEdit } from '../configTypes.ts';
import { containerOf } from '../read/serverMaps.ts';
import { membersOf, stringOf, valueAt, type ConfigNode } from '../syntax/configNode.ts';
import { readJsonc } from '../syntax/readJsonc.ts';
import { withEdits } from './renameServer.ts';

/** A server that gets another name. */
export interface RuleRename {
  /** Its configured name. */
  readonly from: string;
  readonly to: string;
  /** What else rules may call it: its part of callable names, its name as one word. */
  readonly alsoCalled: readonly string[];
  /** Another server keeps the name: then rules get a copy for the new one, and what allows stays as it is. */
  readonly isShared: boolean;
}

/** A list of rules in settings: which members of its items name a tool or a server. */
interface RuleList {
  readonly node: ConfigNode | undefined;
  /** Members of an item; `''` for an item that is a string itself. */
  readonly tools?: readonly string[];
  readonly servers?: readonly string[];
  /** Its items allow something. */
  readonly allows?: boolean;
}

/**
 * The edits that make the rules of a settings file follow a server to its new name: our permission rules, lists of servers and
 * tools, hooks, and the rules of Claude Code's settings. A text with a syntax error gets none.
 */
export function renameInRules(text: string, source: ConfigSource, rename: RuleRename): TextEdit[] {
  if (![rename.from, ...rename.alsoCalled].some((name) => text.includes(name))) return [];
  const { root, faults } = readJsonc(text);
  const container = root && containerOf(root, source.within ?? []);
  if (!container || faults.some(({ scope }) => scope !== 'nothing')) return [];
  return listsIn(container, source).flatMap((list) =>
    (list.node?.children ?? []).flatMap((item) => editsOf(text, item, list, rename)),
  );
}

function listsIn(container: ConfigNode, source: ConfigSource): RuleList[] {
  const setting = (name: string): ConfigNode | undefined => valueAt(container, `mcpSwitchboard.${name}`);
  const ownHooks = hookLists(setting('hooks'));
  const ours: RuleList[] = [
    { node: setting('permissions.rules'), tools: ['tool'], servers: ['server'] },
    { node: setting('alwaysLoadTools'), tools: [''] },
    { node: setting('searchOnlyTools'), tools: [''] },
    { node: setting('allowedServers'), servers: ['', 'name'], allows: true },
    { node: setting('deniedServers'), servers: ['', 'name'] },
    ...ownHooks,
  ];
  if (!isClaudeSettings(source)) return ours;
  const permissions = valueAt(container, 'permissions');
  return [
    ...ours,
    { node: valueAt(permissions, 'allow'), tools: [''], allows: true },
    ...['ask', 'deny'].map((action) => ({ node: valueAt(permissions, action), tools: [''] })),
    { node: valueAt(container, 'enabledMcpjsonServers'), servers: [''], allows: true },
    { node: valueAt(container, 'disabledMcpjsonServers'), servers: [''] },
    ...hookLists(valueAt(container, 'hooks')),
  ];
}

function hookLists(hooks: ConfigNode | undefined): RuleList[] {
  return membersOf(hooks).map(({ value }) => ({ node: value, tools: ['matcher'] }));
}

function editsOf(text: string, item: ConfigNode, list: RuleList, rename: RuleRename): TextEdit[] {
  const edits = [
    ...(list.tools ?? []).flatMap((member) => editOf(memberOf(item, member), (value) => renamedTool(value, rename))),
    ...(list.servers ?? []).flatMap((member) => editOf(memberOf(item, member), (value) => renamedName(value, rename))),
  ];
  if (edits.length === 0 || !rename.isShared) return edits;
  if (list.allows || stringOf(valueAt(item, 'action')) === 'allow') return [];
  const own = edits.map((edit) => ({ ...edit, offset: edit.offset - item.offset }));
  const copy = withEdits(text.slice(item.offset, item.offset + item.length), own);
  return [{ offset: item.offset + item.length, length: 0, text: `, ${copy}` }];
}

function memberOf(item: ConfigNode, member: string): ConfigNode | undefined {
  return member === '' ? item : valueAt(item, member);
}

function editOf(node: ConfigNode | undefined, renamed: (value: string) => string): TextEdit[] {
  const value = stringOf(node);
  if (!node || value === undefined) return [];
  const next = renamed(value);
  return next === value ? [] : [{ offset: node.offset, length: node.length, text: JSON.stringify(next) }];
}

function renamedName(value: string, { from, to, alsoCalled }: RuleRename): string {
  const names = [from, ...alsoCalled];
  if (names.includes(value)) return to;
  return names.some((name) => value === `mcp__${name}`) ? `mcp__${to}` : value;
}

/** `mcp__<server>`, `mcp__<server>__<tool>` and `<server>/<tool>`, the first ones also in the matcher of a hook. */
function renamedTool(value: string, { from, to, alsoCalled }: RuleRename): string {
  for (const name of [from, ...alsoCalled]) {
    if (value === `mcp__${name}`) return `mcp__${to}`;
    if (value.startsWith(`${name}/`)) return to + value.slice(name.length);
    if (value.includes(`mcp__${name}__`)) return value.replaceAll(`mcp__${name}__`, () => `mcp__${to}__`);
  }
  return value;
}
