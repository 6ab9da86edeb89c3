import { isDeepStrictEqual } from 'node:util';
import { describeRule, readRuleLists } from '../../config/rules/serverRules.ts';
import type { ConfigSnapshot, ServerRule, ServerRules, TransportSpec } from '../../config/configTypes.ts';
import { matchesGlob } from '../../base/glob.ts';
import { allowsLine, allowsWords, deniesLine, deniesWords } from './commandRules.ts';

/** Lists that bind, and whose they are. */
export interface ServerPolicy extends ServerRules {
  /** For users, e.g. `your organisation` or `the setting mcpSwitchboard.deniedServers`. */
  readonly label: string;
  /** Where the lists stand, if in a file. */
  readonly file?: string;
  /** An administrator's. Only such a list can let a server from the cloud start a process. */
  readonly isOrganisation: boolean;
  /** `none`: no server may run at all. */
  readonly access?: 'none';
}

/** Why a server may not run. */
export interface PolicyVerdict {
  /** A sentence's end, e.g. `denied by name evil-* (your organisation)`. */
  readonly reason: string;
  readonly rule?: string;
  readonly file?: string;
}

/** The lists of the managed file. While it can't be read, nobody knows what it allows: nothing. */
export function managedPolicies({ results }: ConfigSnapshot): ServerPolicy[] {
  return results.flatMap(({ source, status, rules, stale }): ServerPolicy[] => {
    if (source.scope !== 'enterprise' || status === 'absent') return [];
    const base = { isOrganisation: true, ...(source.file === undefined ? {} : { file: source.file }) };
    if (status === 'broken' && !stale)
      return [{ ...base, label: `${source.label} can't be read`, allowed: [], denied: [] }];
    return rules ? [{ ...base, label: source.label, ...rules }] : [];
  });
}

/** The lists of a settings file, as `allowedServers` and `deniedServers` hold them; none where both are empty. */
export function settingPolicy(label: string, allowed: unknown, denied: unknown): ServerPolicy[] {
  const rules = readRuleLists(allowed, denied, { emptyAllows: true });
  return rules.allowed || rules.denied.length > 0 ? [{ label, isOrganisation: false, ...rules }] : [];
}

/** A value of each of the editor's settings about which MCP servers may run. */
export interface EditorMcpLists {
  readonly access: unknown;
  readonly allowed: unknown;
  readonly denied: unknown;
}

/**
 * What the editor's own settings `chat.mcp.*` say, which an organisation can fix: they bind here, too. Under `registry`
 * only the editor can tell which servers are the registry's, so none runs here.
 * @param inForce what the editor goes by
 * @param levels what the settings of the user, and of the workspace and its folders, say: where the editor goes by a value
 *   of the workspace, the user's binds as well, and only they and an organisation count as such
 */
export function editorPolicies(
  inForce: EditorMcpLists,
  levels: { readonly user?: EditorMcpLists; readonly workspace?: readonly EditorMcpLists[] } = {},
): ServerPolicy[] {
  const { user, workspace = [] } = levels;
  const ofWorkspace = (name: keyof EditorMcpLists): boolean =>
    workspace.some((lists) => isDeepStrictEqual(lists[name], inForce[name]));
  const { access, allowed, denied } = inForce;
  const fixed = {
    access: ofWorkspace('access') ? undefined : access,
    allowed: ofWorkspace('allowed') ? undefined : allowed,
    denied: ofWorkspace('denied') ? undefined : denied,
  };
  return [
    ...[fixed, ...(user ? [user] : [])].flatMap((lists) => editorPolicy(lists, true)),
    ...workspace.flatMap((lists) => editorPolicy(lists, false)),
  ];
}

function editorPolicy({ access, allowed, denied }: EditorMcpLists, isOrganisation: boolean): ServerPolicy[] {
  const base = { isOrganisation, denied: [] };
  return [
    ...(access === 'none' ? [{ ...base, label: 'chat.mcp.access', access } as const] : []),
    ...(access === 'registry'
      ? [{ ...base, label: 'chat.mcp.access: only servers of the registry', allowed: [] }]
      : []),
    ...settingPolicy('chat.mcp', allowed, denied).map((policy) => ({ ...policy, isOrganisation })),
  ];
}

type Subject = { readonly name: string; readonly transport: TransportSpec };

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
  for (const policy of policies) {
    const { access, denied, allowed } = policy;
    if (access === 'none') return verdict(policy, 'MCP servers are turned off');
    const deny = denied.find((rule) => denies(rule, subject, platform));
    if (deny) return verdict(policy, `denied by ${describeRule(deny)}`, deny);
    if (allowed && !allowingRule(subject, allowed, platform))
      return verdict(policy, 'not on the list of allowed servers');
  }
  const { transport } = subject;
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
  for (const policy of policies) {
    const deny = policy.denied.find((rule) => rule.kind === 'command' && deniesLine(rule.words, line, platform));
    if (deny) return verdict(policy, `command denied by ${describeRule(deny)}`, deny);
    const allowed = policy.allowed?.filter((rule) => rule.kind === 'command') ?? [];
    if (allowed.length > 0 && !allowed.some(({ words }) => allowsLine(words, line, platform)))
      return verdict(policy, 'command not on the list of allowed servers');
  }
  return undefined;
}

function verdict({ label, file }: ServerPolicy, reason: string, rule?: ServerRule): PolicyVerdict {
  return {
    reason: `${reason} (${label})`,
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

function fits(rule: ServerRule, { name, transport }: Subject, platform: NodeJS.Platform): boolean {
  switch (rule.kind) {
    case 'name':
      return matchesGlob(foldedName(name), foldedName(rule.pattern));
    case 'command':
      return transport.type === 'stdio' && allowsWords(rule.words, [transport.command, ...transport.args], platform);
    case 'url':
      return 'url' in transport && fitsUrl(transport.url, rule.pattern, false);
  }
}

function foldedName(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

/** Denying looks through what makes no difference: `docker` also denies `/usr/bin/docker` and `docker.exe`. */
function denies(rule: ServerRule, subject: Subject, platform: NodeJS.Platform): boolean {
  const { transport } = subject;
  if (rule.kind === 'command')
    return transport.type === 'stdio' && deniesWords(rule.words, [transport.command, ...transport.args], platform);
  if (fits(rule, subject, platform)) return true;
  if (rule.kind !== 'url' || !('url' in transport)) return false;
  // An address that can't be taken apart, e.g. for its variables, is compared as a text.
  return fitsUrl(transport.url, rule.pattern, true) || matchesGlob(transport.url, rule.pattern);
}

/**
 * Scheme, host with port, and path are compared apart, so that `*.example.com` can't be met in a path.
 * @param anyPort whether a pattern without a port means all of them; else it means the scheme's own
 */
function fitsUrl(url: string, pattern: string, anyPort: boolean): boolean {
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
