import type { JsonObject } from '../../base/json.ts';
import { RULE_ACTIONS, RULE_SOURCES, type PermissionRule } from '../../config/rules/permissionRules.ts';
import { Glob, matchesGlob } from '../../base/glob.ts';
import { ownPartOf } from '../../catalog/names/toolNames.ts';
import { ArgumentReader, ruleArgument, type RuleArgument } from './ruleArguments.ts';

/** What a rule is held against. */
export interface RuleTarget {
  readonly callableName: string;
  /** As configured. */
  readonly serverName: string;
  /** The server's own name of the tool. */
  readonly toolName: string;
  /** Its name after overrides, if different. */
  readonly shownName?: string;
}

/** A rule with what can be known of it beforehand. */
interface CompiledRule {
  readonly rule: PermissionRule;
  readonly plainTool: Glob;
  /** Whether it can be for a server as a whole: before its first wildcard it has what callable names begin with. */
  readonly namesServer: boolean;
  readonly plainServer: Glob | undefined;
  readonly args: readonly RuleArgument[];
}

/** The names that a tool has, in the forms that rules are held against. */
interface Names {
  readonly target: RuleTarget;
  readonly plain: readonly string[];
  /** Of the server as a whole, which is meant with all its tools. */
  readonly whole: readonly string[];
  readonly plainServer: string;
  /** What a pattern that names the server begins with, and what the rest of it is held against. */
  readonly named: readonly (readonly [prefix: string, rest: string])[];
}

/** Rules sorted for use: the first that fits a call is the one that counts. */
export class RuleSet {
  readonly #rules: readonly CompiledRule[];
  readonly #byTool = new WeakMap<RuleTarget & object, readonly CompiledRule[]>();

  constructor(rules: readonly PermissionRule[]) {
    const rank = (rule: PermissionRule): number =>
      RULE_ACTIONS.indexOf(rule.action) * RULE_SOURCES.length + RULE_SOURCES.indexOf(rule.source);
    this.#rules = rules.toSorted((one, other) => rank(one) - rank(other)).map(compile);
  }

  /**
   * The strictest rule that fits; of equally strict ones, that of the highest source.
   * @param folders the open ones
   */
  match(target: RuleTarget, args: JsonObject, folders: readonly string[] = []): PermissionRule | undefined {
    let candidates = this.#byTool.get(target);
    if (!candidates) {
      const names = namesOf(target);
      candidates = this.#rules.filter((each) =>
        each.rule.action === 'allow' ? opens(each.rule, names) : tightens(each, names),
      );
      this.#byTool.set(target, candidates);
    }
    if (candidates.length === 0) return undefined;
    const reader = new ArgumentReader(args, folders);
    return candidates.find((each) => each.args.every((argument) => reader.fits(argument, each.rule.action)))?.rule;
  }
}

/** The stricter of two rules; of equally strict ones the first. */
export function stricterOf(
  one: PermissionRule | undefined,
  other: PermissionRule | undefined,
): PermissionRule | undefined {
  if (!one || !other) return one ?? other;
  return RULE_ACTIONS.indexOf(other.action) < RULE_ACTIONS.indexOf(one.action) ? other : one;
}

function compile(rule: PermissionRule): CompiledRule {
  const plainTool = plain(rule.tool);
  return {
    rule,
    plainTool: new Glob(plainTool),
    namesServer: plainTool.startsWith('mcp__'),
    plainServer: rule.server === undefined ? undefined : new Glob(plain(rule.server)),
    args: Object.entries(rule.args ?? {}).map(([at, glob]) => ruleArgument(at, glob)),
  };
}

function namesOf(target: RuleTarget): Names {
  const { callableName, serverName, toolName, shownName = toolName } = target;
  const [, part = '', rest = ''] = /^(?:mcp__)?(.+?)__(.+)$/s.exec(callableName) ?? [];
  // Another server can have taken the part of the callable name that a rule was written for. The last is Claude Code's.
  const servers = [serverName, ownPartOf(serverName), serverName.replaceAll(/[^\w-]/g, '_')];
  return {
    target,
    plain: [
      ...new Set(
        [
          callableName,
          ...servers.flatMap((server) => [toolName, shownName].map((name) => `mcp__${server}__${name}`)),
          ...[toolName, shownName],
        ].map(plain),
      ),
    ],
    whole: [...new Set([...servers, part].map((server) => plain(`mcp__${server}`)))],
    plainServer: plain(serverName),
    named: [
      // The callable name's server part never holds `__`; a configured name that does can be meant by its part only.
      [`mcp__${part}__`, rest],
      ...(serverName.includes('__') ? [] : [[`mcp__${serverName}__`, toolName] as const]),
    ],
  };
}

/**
 * Whether an `allow` is for this tool. The server has to be named exactly, in full: a name that only begins like
 * another's, or that looks like it, is another server.
 */
function opens({ server, tool }: PermissionRule, { target, named }: Names): boolean {
  const { callableName, serverName, toolName } = target;
  // A rule for requests is for no tool that its server has named like one: callable names of tools are made without `/`.
  if (toolName.includes('/') && !callableName.endsWith(toolName) && tool.endsWith(toolName)) return false;
  if (server !== undefined) {
    if (server !== serverName) return false;
    if (matchesGlob(toolName, tool)) return true;
  }
  return named.some(([prefix, rest]) => tool.startsWith(prefix) && matchesGlob(rest, tool.slice(prefix.length)));
}

/** Whether an `ask` or a `deny` is for this tool: by any of its names, whatever their case or their look-alike letters. */
function tightens({ plainTool, namesServer, plainServer }: CompiledRule, names: Names): boolean {
  if (plainServer?.matches(names.plainServer) === false) return false;
  return (
    names.plain.some((name) => plainTool.matches(name)) ||
    (namesServer && names.whole.some((name) => plainTool.matches(name)))
  );
}

/** A name as rules that tighten compare it: in any case, with look-alike forms of its letters. */
export function plain(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
