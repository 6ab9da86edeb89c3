import { membersOf, stringOf, valueAt, type ConfigNode } from '../syntax/configNode.ts';
import type { SourceText } from '../syntax/sourceText.ts';
import type { ConfigProblem, ConfigSource } from '../configTypes.ts';
import type { PermissionRule } from './permissionRules.ts';

/** What a settings file of Claude Code says beside its servers, as far as it means here what it means there. */
export interface ClaudeSettings {
  /** Its deny and ask rules about tools of MCP servers. */
  readonly toolRules: readonly PermissionRule[];
  /** Servers of `.mcp.json` that it switches off. */
  readonly projectServersOff: readonly string[];
  readonly problems: readonly ConfigProblem[];
}

/** `~/.claude/settings.json` and its kin; `~/.claude.json` has other things. */
export function isClaudeSettings({ client, file = '' }: ConfigSource): boolean {
  return client === 'claude-code' && /(?:^|[\\/])settings(?:\.local)?\.json$/.test(file);
}

/**
 * Reads `permissions`, `disabledMcpjsonServers` and `hooks`. What would have restricted calls or servers and doesn't here is a
 * warning; rules about Claude Code's own tools concern nobody here. What opens something isn't taken over: approvals and
 * permissions are given here.
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
  const hooks = membersOf(root).findLast(({ key }) => key === 'hooks');
  if (hooks && membersOf(hooks.value).some(({ value }) => itemsOf(value).some(concernsTools)))
    problems.push(
      text.problem(hooks.keyNode, 'unread-restriction', 'warning', {
        message: '`hooks` of Claude Code aren’t run here, so those for tools of MCP servers restrict nothing.',
        fix: 'Put them into `mcpSwitchboard.hooks`.',
      }),
    );
  const projectServersOff = itemsOf(valueAt(root, 'disabledMcpjsonServers')).flatMap((node) => stringOf(node) ?? []);
  return { toolRules, projectServersOff, problems };
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
    message: 'A rule for a tool of an MCP server takes no arguments, so this one restricts nothing.',
    fix: 'Leave out the parentheses, or use `args` in `mcpSwitchboard.permissions.rules`.',
  });
}

/** A hook without a matcher is for every tool. */
function concernsTools(node: ConfigNode): boolean {
  const matcher = stringOf(valueAt(node, 'matcher')) ?? '';
  return matcher.includes('mcp') || /^[.*]*$/.test(matcher);
}
