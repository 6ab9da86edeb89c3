import { isRecord } from '../../base/json/json.ts';
import { say } from '../../base/say.ts';

/** The source of a rule, highest first. Only the user's and the organisation's can allow. */
export const RULE_SOURCES = ['enterprise', 'user', 'workspace', 'entry'] as const;
export type RuleSource = (typeof RULE_SOURCES)[number];

/** Strictest first: among the rules that fit a call, the strictest counts, wherever it stands. */
export const RULE_ACTIONS = ['deny', 'ask', 'allow'] as const;
export type RuleAction = (typeof RULE_ACTIONS)[number];

/** One rule of `permissions.rules`. */
export interface PermissionRule {
  /** Glob over the names of a tool with its server (`toolSpellings`) or, where it only tightens, the tool's own name. */
  readonly tool: string;
  /** The configured name of the server, or its part of callable names; a glob, where it only tightens. */
  readonly server?: string;
  /** Globs over string arguments, by name or JSON pointer. All must match. */
  readonly args?: Readonly<Record<string, string>>;
  readonly action: RuleAction;
  readonly reason?: string;
  readonly source: RuleSource;
}

/** A rule that can't be followed as it is written. */
export interface RuleProblem {
  readonly code: 'invalid-rule' | 'not-tightening';
  readonly source: RuleSource;
  /** Of the rule in its list, from 0. */
  readonly index: number;
  /** The member that is wrong; the rule as a whole where absent. */
  readonly member?: 'tool' | 'server' | 'args' | 'action';
  readonly message: string;
  readonly fix: string;
}

/** What was read of a list of rules. */
export interface ReadRules {
  readonly rules: readonly PermissionRule[];
  readonly problems: readonly RuleProblem[];
}

/** Whose list it is. */
export interface RuleOrigin {
  readonly source: RuleSource;
  /** Whether its rules may allow; else they can only tighten. */
  readonly mayAllow: boolean;
  /** The only server that the rules are for, as configured: they stand in its entry. */
  readonly server?: string;
}

/** What holds while a managed file is being read, or where it can't be: nothing runs without a question. */
export const CAUTIOUS_RULES: readonly PermissionRule[] = [
  { tool: '*', action: 'ask', source: 'enterprise', reason: say`the managed file can’t be read` },
];

/** Reads a list of rules as a setting has it; see `readRules`. */
export function readPermissionRules(value: unknown, source: Exclude<RuleSource, 'entry'>): ReadRules {
  return readRules(value, { source, mayAllow: source !== 'workspace' });
}

const UNKNOWN_ACTION: Fault = {
  code: 'invalid-rule',
  member: 'action',
  message: say`A rule needs an "action". Without one that is known, it asks.`,
  fix: say`Write "allow", "ask" or "deny".`,
};

type Fault = Pick<RuleProblem, 'code' | 'member' | 'message' | 'fix'>;

/**
 * Reads a list of rules. What makes no sense never loosens anything: such an `allow` is left out, a `deny` or `ask` whose
 * arguments or server can't be read counts for all of them, and what may be meant as such a rule asks.
 */
export function readRules(value: unknown, origin: RuleOrigin): ReadRules {
  const { source } = origin;
  const rules: PermissionRule[] = [];
  const problems: RuleProblem[] = [];
  for (const [index, item] of (Array.isArray(value) ? (value as unknown[]) : []).entries()) {
    const { rule, fault } = readRule(item, origin);
    if (rule) rules.push(rule);
    if (fault) problems.push({ source, index, ...fault });
  }
  return { rules, problems };
}

function readRule(item: unknown, origin: RuleOrigin): { readonly rule?: PermissionRule; readonly fault?: Fault } {
  if (!isRecord(item))
    return { fault: wrong(undefined, say`A rule is an object.`, say`Write { "tool": …, "action": … }.`) };
  const { tool, server, args, action, reason } = item;
  if (typeof tool !== 'string' || tool === '')
    return {
      ...(action === 'allow' ? {} : { rule: { tool: '*', action: 'ask', source: origin.source } }),
      fault: wrong(
        'tool',
        say`A rule needs a "tool". Without one, it asks for every call.`,
        say`Give it a name or a glob, e.g. "mcp__github__*".`,
      ),
    };
  const written = RULE_ACTIONS.find((each) => each === action);
  // It may be meant to deny.
  const known = written ?? 'ask';
  const fault = written
    ? (faultOf({ tool, server, args, action: known }, origin) ?? unreadMember(item))
    : UNKNOWN_ACTION;
  if (fault && known === 'allow') return { fault };
  const own = known === 'allow' ? (origin.server ?? server) : server;
  const rule: PermissionRule = {
    tool,
    action: known,
    source: origin.source,
    ...(typeof own === 'string' && (known === 'allow' || origin.server === undefined) ? { server: own } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(isTexts(args) ? { args } : {}),
  };
  return fault ? { rule, fault } : { rule };
}

const MEMBERS: ReadonlySet<string> = new Set(['tool', 'server', 'args', 'action', 'reason']);
/** What somebody writes beside a rule for people. */
const REMARK = /^(?:[$_/].*|comments?|description|notes?|title|name|label|id)$/i;

/** A member that isn't read may be meant to narrow the rule: `arguments`, `servers`, `when`. */
function unreadMember(item: Readonly<Record<string, unknown>>): Fault | undefined {
  const member = Object.keys(item).find((name) => !MEMBERS.has(name) && !REMARK.test(name));
  if (member === undefined || item['action'] !== 'allow') return undefined;
  return wrong(
    undefined,
    say`A rule has no "${member}". It may be meant to narrow the rule, so nothing is allowed.`,
    say`Use "tool", "server" and "args", or remove it.`,
  );
}

interface Written {
  readonly tool: string;
  readonly server: unknown;
  readonly args: unknown;
  readonly action: RuleAction;
}

function faultOf({ tool, server, args, action }: Written, { mayAllow, server: own }: RuleOrigin): Fault | undefined {
  const widened = action === 'allow' ? '' : say` The rule applies to all of them.`;
  if (action === 'allow' && !mayAllow)
    return {
      ...wrong(
        'action',
        say`Only your own settings can allow.`,
        say`Write "ask" or "deny", or put it into your settings.`,
      ),
      code: 'not-tightening',
    };
  if (args !== undefined && !isTexts(args))
    return wrong('args', say`"args" must contain only strings.${widened}`, say`Map names of arguments to globs.`);
  if (server !== undefined && typeof server !== 'string')
    return wrong('server', say`"server" must be a string.${widened}`, say`Give the name of a server.`);
  if (own !== undefined)
    return server === undefined || server === own
      ? undefined
      : wrong('server', say`A rule in the entry of ${own} is for its tools alone.`, say`Remove "server".`);
  if (action === 'allow' && !namesItsServer(tool, server))
    return wrong(
      'tool',
      say`An "allow" rule must name its server in full.`,
      say`Write "mcp__github__*", or add "server" without wildcards.`,
    );
  return undefined;
}

function wrong(member: RuleProblem['member'], message: string, fix: string): Fault {
  return { code: 'invalid-rule', ...(member === undefined ? {} : { member }), message, fix };
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every((each) => typeof each === 'string');
}

function namesItsServer(tool: string, server: string | undefined): boolean {
  if (server !== undefined) return server !== '' && isLiteral(server);
  const name = serverNamedBy(tool);
  return name !== undefined && isLiteral(name);
}

/** The server that `mcp__<server>__<tool>` or `<server>/<tool>` names; `undefined` for anything else. */
export function serverNamedBy(tool: string): string | undefined {
  return (tool.startsWith('mcp__') ? /^mcp__(.+?)__./s : /^([^/]+)\/./s).exec(tool)?.[1];
}

/** Whether a pattern has no `*` and no `?`. */
function isLiteral(pattern: string): boolean {
  return !/[*?]/.test(pattern);
}
