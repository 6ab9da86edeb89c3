import type { JsonObject } from '../../base/json/json.ts';
import { say } from '../../base/say.ts';
import { membersOf, plainValue, stringOf, valueAt, type ConfigNode } from '../syntax/configNode.ts';
import type { SourceText } from '../syntax/sourceText.ts';
import type { ConfigProblem, ConfigSource } from '../configTypes.ts';
import type { PermissionRule } from './permissionRules.ts';

/** What a settings file of Claude Code says beside its servers, as far as it means here what it means there. */
export interface ClaudeSettings {
  /** Its deny and ask rules about tools of MCP servers. */
  readonly toolRules: readonly PermissionRule[];
  /** Servers of `.mcp.json` that it switches off. */
  readonly projectServersOff: readonly string[];
  /** Its hooks for calls of MCP tools, in the form of the setting `hooks`; `undefined`: none. */
  readonly hooks: JsonObject | undefined;
  readonly problems: readonly ConfigProblem[];
}

/** `~/.claude/settings.json` and its kin; `~/.claude.json` has other things. */
export function isClaudeSettings({ client, file = '' }: ConfigSource): boolean {
  return client === 'claude-code' && /(?:^|[\\/])settings(?:\.local)?\.json$/.test(file);
}

/**
 * Reads `permissions`, `disabledMcpjsonServers` and `hooks`. What would have restricted calls or servers and doesn't here is a
 * warning; rules and hooks for Claude Code's own tools concern nobody here. What opens something isn't taken over: approvals
 * and permissions are given here.
 */
export function readClaudeSettings(root: ConfigNode, text: SourceText): ClaudeSettings {
  const permissions = valueAt(root, 'permissions');
  const problems: ConfigProblem[] = [];
  const toolRules = (['deny', 'ask'] as const).flatMap((action) =>
    itemsOf(valueAt(permissions, action)).flatMap((node) => {
      const tool = toolOf(stringOf(node) ?? '');
      if (tool === 'unclear') problems.push(unclearRule(text, node));
      return tool === undefined || tool === 'unclear' ? [] : [ruleFor(tool, action, text.source)];
    }),
  );
  const groups = valueAt(root, 'disableAllHooks')?.value === true ? [] : groupsOf(valueAt(root, 'hooks'));
  problems.push(
    ...groups.flatMap(({ node }) => hooksIn(node).filter((hook) => !isRunHere(hook))).map((hook) => notRun(text, hook)),
  );
  const hooks = Object.fromEntries(
    CALL_EVENTS.map((event) => [
      event,
      groups.filter((group) => group.event === event).map(({ node }) => plainValue(node)),
    ]),
  );
  const projectServersOff = itemsOf(valueAt(root, 'disabledMcpjsonServers')).flatMap((node) => stringOf(node) ?? []);
  return { toolRules, projectServersOff, hooks: groups.length === 0 ? undefined : (hooks as JsonObject), problems };
}

function itemsOf(node: ConfigNode | undefined): readonly ConfigNode[] {
  return node?.type === 'array' ? (node.children ?? []) : [];
}

/** The glob that a rule means; `undefined`: it is about other tools. Arguments have no meaning there, so the rule is skipped. */
function toolOf(rule: string): string | 'unclear' | undefined {
  if (rule === '*') return '*';
  const [, rest] = /^mcp__(.+)$/s.exec(rule) ?? [];
  if (rest === undefined) return undefined;
  if (/[()]/.test(rest)) return 'unclear';
  // `mcp__server` stands for all tools of the server.
  return rest.includes('__') || rest.endsWith('*') ? rule : `${rule}__*`;
}

function ruleFor(tool: string, action: 'deny' | 'ask', { scope, label }: ConfigSource): PermissionRule {
  return { tool, action, source: scope === 'user' ? 'user' : 'workspace', reason: `in ${label}` };
}

function unclearRule(text: SourceText, node: ConfigNode): ConfigProblem {
  return text.problem(node, 'unread-restriction', 'warning', {
    message: say`A rule for a tool of an MCP server takes no arguments, so this one restricts nothing.`,
    fix: say`Leave out the parentheses, or use \`args\` in \`mcpSwitchboard.permissions.rules\`.`,
  });
}

/** The events of a call. */
const CALL_EVENTS = ['PreToolUse', 'PostToolUse'] as const;

/** The groups of hooks for calls of MCP tools. */
function groupsOf(hooks: ConfigNode | undefined): readonly { readonly event: string; readonly node: ConfigNode }[] {
  return CALL_EVENTS.flatMap((event) =>
    itemsOf(valueAt(hooks, event))
      .filter(concernsTools)
      .map((node) => ({ event, node })),
  );
}

function hooksIn(group: ConfigNode): readonly ConfigNode[] {
  return itemsOf(valueAt(group, 'hooks'));
}

/** What of a hook means here what it means there. */
const READ_OF_HOOKS: ReadonlySet<string> = new Set(['type', 'command', 'timeout', 'statusMessage']);

function isRunHere(hook: ConfigNode): boolean {
  return (
    stringOf(valueAt(hook, 'type')) === 'command' &&
    (stringOf(valueAt(hook, 'command')) ?? '') !== '' &&
    membersOf(hook).every(({ key }) => READ_OF_HOOKS.has(key))
  );
}

function notRun(text: SourceText, hook: ConfigNode): ConfigProblem {
  return text.problem(hook, 'unread-restriction', 'warning', {
    message: say`Only hooks of type \`command\`, without conditions or options of their own, run here: this one restricts nothing.`,
    fix: say`Write it as a command, or put one into \`mcpSwitchboard.hooks\`.`,
  });
}

/** A hook without a matcher is for every tool. */
function concernsTools(node: ConfigNode): boolean {
  const matcher = stringOf(valueAt(node, 'matcher')) ?? '';
  return matcher.includes('mcp') || /^[.*]*$/.test(matcher);
}
