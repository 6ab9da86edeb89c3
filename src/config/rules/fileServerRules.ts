import { say } from '../../base/say.ts';
import { plainValue, valueAt, type ConfigNode } from '../syntax/configNode.ts';
import type { SourceText } from '../syntax/sourceText.ts';
import type { ConfigProblem, ServerRules } from '../configTypes.ts';
import { readRuleLists, readRules } from './serverRules.ts';

/** By our names, and by Claude Code's. */
const RULE_KEYS = [
  ['allowedServers', 'allowedMcpServers'],
  ['deniedServers', 'deniedMcpServers'],
] as const;

/** Whether a container has a list of servers that may or may not run. */
export function hasRuleLists(container: ConfigNode): boolean {
  return RULE_KEYS.flat().some((key) => valueAt(container, key));
}

/** The lists of servers that may and may not run, where the container has them. */
export function ruleLists(container: ConfigNode): readonly (ConfigNode | undefined)[] {
  return RULE_KEYS.map((keys) => keys.map((key) => valueAt(container, key)).find((node) => node !== undefined));
}

/** The allow and deny list of a managed file, or of Claude Code's settings, and what of them can't be read. */
export function readFileRules(
  container: ConfigNode,
  text: SourceText,
): { readonly rules: ServerRules; readonly problems: readonly ConfigProblem[] } {
  const [allowed, denied] = ruleLists(container);
  const rules = readRuleLists(allowed && plainValue(allowed), denied && plainValue(denied), { emptyAllows: false });
  return { rules, problems: ruleProblems(container, text) };
}

const UNREAD_RULES = [
  say`This rule can’t be read, so it allows no server.`,
  say`This rule can’t be read, so no server can run: nobody knows which it denies.`,
];

function ruleProblems(container: ConfigNode, text: SourceText): ConfigProblem[] {
  const fix = say`Write a name, or an object with one of \`name\`, \`url\` and \`command\`.`;
  return ruleLists(container).flatMap((list, which) => {
    const items = list?.type === 'array' ? (list.children ?? []) : [];
    return readRules(items.map(plainValue)).invalid.flatMap((index) => {
      const message = UNREAD_RULES[which] ?? '';
      return items[index] ? [text.problem(items[index], 'invalid-rule', 'warning', { message, fix })] : [];
    });
  });
}
