import type { JsonObject } from '../../../base/json/json.ts';
import { RULE_ACTIONS, RULE_SOURCES, type PermissionRule } from '../../../config/rules/permissionRules.ts';
import { Glob, matchesGlob } from '../../../base/text/glob.ts';
import { underlyingOf, type CatalogTool } from '../../../catalog/catalogTool.ts';
import { readableParts } from '../../../servers/nameParts.ts';
import { serverOf, serverSpellings, toolSpellings, type NamedServer } from '../../../catalog/names/serverNames.ts';
import { ArgumentReader, ruleArgument, type RuleArgument } from './ruleArguments.ts';

/** A rule with what can be known of it beforehand. */
interface CompiledRule {
  readonly rule: PermissionRule;
  readonly plainTool: Glob;
  /** Whether it can be for a server as a whole: before its first wildcard it has what callable names begin with. */
  readonly namesServer: boolean;
  readonly plainServer: Glob | undefined;
  readonly args: readonly RuleArgument[];
}

/** The names of a tool and its server, in the forms that rules that tighten are held against. */
interface PlainNames {
  readonly tool: readonly string[];
  /** Of the server, alone. */
  readonly server: readonly string[];
}

/** Rules sorted for use: the first that fits a call is the one that counts. */
export class RuleSet {
  readonly #rules: readonly CompiledRule[];
  readonly #byTool = new WeakMap<CatalogTool, readonly CompiledRule[]>();

  constructor(rules: readonly PermissionRule[]) {
    const rank = (rule: PermissionRule): number =>
      RULE_ACTIONS.indexOf(rule.action) * RULE_SOURCES.length + RULE_SOURCES.indexOf(rule.source);
    this.#rules = rules.toSorted((one, other) => rank(one) - rank(other)).map(compile);
  }

  /**
   * The strictest rule that fits; of equally strict ones, that of the highest source.
   * @param folders the open ones
   */
  match(tool: CatalogTool, args: JsonObject, folders: readonly string[] = []): PermissionRule | undefined {
    let candidates = this.#byTool.get(tool);
    if (!candidates) {
      const names = plainNamesOf(tool);
      candidates = this.#rules.filter((each) =>
        each.rule.action === 'allow' ? opens(each.rule, tool) : tightens(each, names),
      );
      this.#byTool.set(tool, candidates);
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

function plainNamesOf(tool: CatalogTool): PlainNames {
  const own = [underlyingOf(tool).name, tool.tool.name];
  const { configuredName, name, part } = serverOf(tool);
  // Another server can have taken the part of the callable name that a rule was written for.
  const servers = [part, ...readableParts(configuredName)].map((each) => ({ configuredName, name, part: each }));
  return {
    tool: plainly([...servers.flatMap((server) => toolSpellings({ ...tool, serverPart: server.part })), ...own]),
    server: plainly(servers.flatMap(serverSpellings)),
  };
}

/**
 * Whether an `allow` is for this tool. The server has to be named exactly, in full: a name that only begins like
 * another's, or that looks like it, is another server.
 */
function opens(rule: PermissionRule, tool: CatalogTool): boolean {
  const own = underlyingOf(tool).name;
  // A rule for requests is for no tool that its server has named like one: callable names of tools are made without `/`.
  if (own.includes('/') && !tool.name.endsWith(own) && rule.tool.endsWith(own)) return false;
  const server = serverOf(tool);
  if (rule.server !== undefined) {
    if (!isNamed(server, rule.server)) return false;
    if (matchesGlob(own, rule.tool)) return true;
  }
  return prefixesOf(server, rule.tool.startsWith('mcp__')).some((prefix) => {
    if (!rule.tool.startsWith(prefix)) return false;
    const pattern = rule.tool.slice(prefix.length);
    return (
      matchesGlob(own, pattern) ||
      (tool.name.startsWith(prefix) && matchesGlob(tool.name.slice(prefix.length), pattern))
    );
  });
}

/** Whether a name is exactly the configured one of a server, or its part of callable names. */
function isNamed({ configuredName, part }: NamedServer, name: string): boolean {
  return [configuredName, part].some((each) => name === each || name === `mcp__${each}`);
}

/** How a rule that opens begins, to name the server. A name that holds what would end it is meant by its part only. */
function prefixesOf({ configuredName, part }: NamedServer, isCallable: boolean): readonly string[] {
  const end = isCallable ? '__' : '/';
  const names = [part, ...(configuredName.includes(end) ? [] : [configuredName])];
  return names.map((name) => (isCallable ? `mcp__${name}__` : `${name}/`));
}

/** Whether an `ask` or a `deny` is for this tool: by any of its names, whatever their case or their look-alike letters. */
function tightens({ plainTool, namesServer, plainServer }: CompiledRule, names: PlainNames): boolean {
  if (plainServer && !names.server.some((name) => plainServer.matches(name))) return false;
  return (
    names.tool.some((name) => plainTool.matches(name)) ||
    (namesServer && names.server.some((name) => name.startsWith('mcp__') && plainTool.matches(name)))
  );
}

function plainly(names: readonly string[]): readonly string[] {
  return [...new Set(names.map(plain))];
}

/** A name as rules that tighten compare it: in any case, with look-alike forms of its letters. */
export function plain(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
