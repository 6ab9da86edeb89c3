// Loaded where there is a list.
import { matchesGlob } from '../../base/text/glob.ts';
import { say } from '../../base/say.ts';
import { describeRule } from '../../config/rules/serverRules.ts';
import type { ServerRule, TransportSpec } from '../../config/configTypes.ts';
import { readableParts } from '../nameParts.ts';
import { codeVariableIn } from './codeVariables.ts';
import { allowsLine, allowsWords, DeniedCommand } from './commandRules.ts';
import type { ServerPolicy } from './serverPolicy.ts';

/** Why a server may not run. */
export interface PolicyVerdict {
  /** A sentence's end, e.g. `denied by name evil-* (your organisation)`. */
  readonly reason: string;
  readonly rule?: string;
  readonly file?: string;
}

/** What judges servers and command lines by the lists. */
export interface PolicyJudge {
  readonly policyVerdict: typeof policyVerdict;
  readonly lineVerdict: typeof lineVerdict;
  readonly isAllowedByOrganisation: typeof isAllowedByOrganisation;
}

interface Subject {
  readonly name: string;
  readonly transport: TransportSpec;
  /** Configured names of all servers: what stands for another allows nothing. */
  readonly names?: readonly string[];
}

/**
 * Asks every policy (design: *Allow and deny lists*): deny wins over allow, and every policy has to let a server pass. It
 * looks at the texts as they are given: give it the expanded spec as well, before starting.
 * @returns `undefined` where the server may run
 */
export function policyVerdict(
  subject: Subject,
  policies: readonly ServerPolicy[],
  platform: NodeJS.Platform = process.platform,
): PolicyVerdict | undefined {
  const { transport } = subject;
  const command =
    transport.type === 'stdio' ? new DeniedCommand([transport.command, ...transport.args], platform) : undefined;
  for (const policy of policies) {
    const { access, denied, allowed } = policy;
    if (access === 'none') return verdict(policy, say`MCP servers are turned off`);
    const deny = denied.find((rule) => denies(rule, subject, command, platform));
    if (deny) return verdict(policy, say`denied by ${describeRule(deny)}`, deny);
    const allowing = allowed && allowingRule(subject, allowed, platform);
    if (allowed && !allowing) return verdict(policy, say`not on the list of allowed servers`);
    const isCommand = allowing?.kind === 'command' && transport.type === 'stdio';
    const variable = isCommand ? codeVariableIn(transport.env) : undefined;
    if (variable !== undefined)
      return verdict(policy, say`its environment sets ${variable}, so that an allowed command can run something else`);
  }
  const helper = 'headersHelper' in transport ? transport.headersHelper : undefined;
  return helper === undefined ? undefined : lineVerdict(helper, policies, platform);
}

/**
 * The same for a command line of a shell that isn't a server: a `headersHelper` or a hook. It is denied by rules for
 * commands, and where some are allowed, it must be one of them.
 */
export function lineVerdict(
  line: string,
  policies: readonly ServerPolicy[],
  platform: NodeJS.Platform = process.platform,
): PolicyVerdict | undefined {
  const command = DeniedCommand.ofLine(line, platform);
  for (const policy of policies) {
    const deny = policy.denied.find((rule) => rule.kind === 'command' && command.isMetBy(rule.words));
    if (deny) return verdict(policy, say`command denied by ${describeRule(deny)}`, deny);
    const allowed = policy.allowed?.filter((rule) => rule.kind === 'command') ?? [];
    if (allowed.length > 0 && !allowed.some(({ words }) => allowsLine(words, line, platform)))
      return verdict(policy, say`command not on the list of allowed servers`);
  }
  return undefined;
}

function verdict({ label, file }: ServerPolicy, reason: string, rule?: ServerRule): PolicyVerdict {
  return {
    reason: say`${reason} (${label})`,
    ...(rule ? { rule: describeRule(rule) } : {}),
    ...(file === undefined ? {} : { file }),
  };
}

/** Whether an organisation's list names this server as allowed. */
export function isAllowedByOrganisation(subject: Subject, policies: readonly ServerPolicy[]): boolean {
  return policies.some(
    ({ isOrganisation, allowed }) =>
      isOrganisation && allowed !== undefined && allowingRule(subject, allowed, process.platform) !== undefined,
  );
}

/** Of an address with more characters, or encoded more often, every rule that denies counts as met, and none that allows. */
const MAX_URL = 8_192;
const MAX_DECODED = 10;

const KIND_OF: Partial<Record<TransportSpec['type'], ServerRule['kind']>> = { stdio: 'command', sdk: 'name' };

/** Where a list has rules of the server's own kind (command or URL), its name alone doesn't let it pass. */
function allowingRule(
  subject: Subject,
  rules: readonly ServerRule[],
  platform: NodeJS.Platform,
): ServerRule | undefined {
  const kind = KIND_OF[subject.transport.type] ?? 'url';
  const ofKind = rules.filter((rule) => rule.kind === kind);
  return (ofKind.length > 0 ? ofKind : rules).find((rule) => fits(rule, subject, platform));
}

function fits(rule: ServerRule, subject: Subject, platform: NodeJS.Platform): boolean {
  const { transport } = subject;
  switch (rule.kind) {
    case 'name':
      return isNamed(allowedNames(subject), rule.pattern);
    case 'command':
      return transport.type === 'stdio' && allowsWords(rule.words, [transport.command, ...transport.args], platform);
    case 'url':
      return 'url' in transport && fitsUrl(transport.url, rule.pattern, false);
  }
}

function foldedName(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

/** The pattern of a rule for names may have `mcp__` before it, as in rules for tools. */
function isNamed(names: readonly string[], pattern: string): boolean {
  const folded = foldedName(pattern);
  const bare = folded.replace(/^mcp__(?=.)/, '');
  return names.some((name) => matchesGlob(name, folded) || (bare !== folded && matchesGlob(name, bare)));
}

/** By which names a server is allowed: the configured one and, where it is no other server's, the one of callable names. */
function allowedNames({ name, names = [] }: Subject): readonly string[] {
  const own = foldedName(name);
  const [part] = readableParts(name);
  if (part === undefined || part === own) return [own];
  const owners = ownersIn(names).get(part);
  return owners?.some((other) => other !== name) ? [own] : [own, part];
}

const known = new WeakMap<readonly string[], ReadonlyMap<string, readonly string[]>>();

/** By each name that callable names may have, the configured names that it can stand for. */
function ownersIn(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  let owners = known.get(names);
  if (!owners) {
    const pairs = names.flatMap((name) =>
      [foldedName(name), ...readableParts(name).slice(0, 1)].map((part) => ({ part, name })),
    );
    const grouped = Map.groupBy(pairs, ({ part }) => part);
    owners = new Map(Array.from(grouped, ([part, all]) => [part, all.map(({ name }) => name)]));
    known.set(names, owners);
  }
  return owners;
}

/** By which names a server is denied: any that stands for it in names of tools. */
function deniedNames(name: string): readonly string[] {
  const own = foldedName(name);
  return [own, own.replaceAll(/[^\w-]/g, '_'), ...readableParts(name)];
}

/** Denying looks through what makes no difference: `docker` also denies `/usr/bin/docker` and `docker.exe`. */
function denies(
  rule: ServerRule,
  subject: Subject,
  command: DeniedCommand | undefined,
  platform: NodeJS.Platform,
): boolean {
  const { transport } = subject;
  if (rule.kind === 'command') return command?.isMetBy(rule.words) ?? false;
  if (rule.kind === 'name') return isNamed(deniedNames(subject.name), rule.pattern);
  if (!('url' in transport)) return false;
  const readings = readingsOfUrl(transport.url);
  // An address that can't be taken apart, e.g. for its variables, is compared as a text.
  return (
    !readings ||
    fits(rule, subject, platform) ||
    matchesGlob(transport.url, rule.pattern) ||
    readings.some((url) => [rule.pattern, rule.pattern.toLowerCase()].some((pattern) => fitsUrl(url, pattern, true)))
  );
}

/**
 * An address, and as a server may read its path: decoded until nothing changes, single slashes, no parameters, any case.
 * @returns nothing where it is too long, or encoded too often, to be read in a moment
 */
function readingsOfUrl(url: string): readonly string[] | undefined {
  if (url.length > MAX_URL) return undefined;
  if (!URL.canParse(url)) return [url];
  const read = new URL(url);
  let times = 0;
  for (let before = ''; before !== read.pathname;) {
    if ((times += 1) > MAX_DECODED) return undefined;
    before = read.pathname;
    read.pathname = before
      .replaceAll(/%([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replaceAll(/;[^/]*/g, '')
      .replaceAll(/[\\/]+/g, '/');
  }
  return [url, read.href, read.href.toLowerCase()];
}

/**
 * Scheme, host with port, and path are compared apart, so that `*.example.com` can't be met in a path.
 * @param anyPort whether a pattern without a port means all of them; else it means the scheme's own
 */
function fitsUrl(url: string, pattern: string, anyPort: boolean): boolean {
  if (url.length > MAX_URL) return false;
  const parts = /^(?:([a-z*]+):\/\/)?([^/?#]*)(.*)$/i.exec(pattern);
  if (!parts || !URL.canParse(url) || url.includes('${') || url.includes('$env:')) return false;
  const [, scheme = '*', host = '', rest = ''] = parts;
  const { protocol, hostname, port, pathname, search } = new URL(url);
  const [, hostPattern = '', portPattern] = /^(.*?)(?::([\d*]+))?$/.exec(host.toLowerCase()) ?? [];
  const ownPort = port || (protocol === 'https:' || protocol === 'wss:' ? '443' : '80');
  const expectedPort = portPattern ?? (anyPort || port === '' ? ownPort : '');
  return (
    matchesGlob(protocol.slice(0, -1), scheme.toLowerCase()) &&
    matchesGlob(hostname.replace(/\.$/, ''), hostPattern) &&
    matchesGlob(ownPort, expectedPort) &&
    (rest === '' || rest === '/' ? rest === '' || pathname === '/' : matchesGlob(pathname + search, rest))
  );
}
