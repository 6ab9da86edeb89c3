// Loaded with the first approval.
import { say } from '../base/say.ts';
import { matchesGlob } from '../base/text/glob.ts';
import { DEFAULT_CALL_SETTINGS, type CallSettings } from '../calls/callSettings.ts';
import type { Grant, Grants } from '../calls/policy/permissionGrants.ts';
import { RuleOwners, serverOfRule } from '../calls/policy/rules/ruleOwners.ts';
import { plain } from '../calls/policy/rules/ruleSet.ts';
import { partOwnerOf } from '../catalog/names/namePartStore.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { readableParts } from '../servers/nameParts.ts';
import type { PermissionRule } from '../config/rules/permissionRules.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import { quoted, written } from '../servers/trust/summary/quotedText.ts';
import type { ServerDefinition } from '../servers/serverTypes.ts';
import { isNameOfOther } from './wiring/brokerPorts.ts';
import type { HostPorts } from './hostPorts.ts';

/** What the approval of a server changes beside that it runs, a line each. */
export function consequencesOfApproval(
  serverId: string,
  parts: { readonly servers: ServerRegistry; readonly grants: Grants; readonly catalog: Catalog },
  { store, calls }: Pick<HostPorts, 'store' | 'calls'>,
): readonly string[] {
  const { servers, grants, catalog } = parts;
  const definition = servers.get(serverId);
  if (!definition) return [];
  const { fingerprint, status } = definition;
  // Who approves what the editor would start, too, has it run here.
  const hosting = status.kind === 'disabled' && status.by === 'editor' ? 'switchboard' : servers.hosting;
  const owners = new RuleOwners(store);
  return consequencesOf({
    definition,
    names: [definition.entry.name, catalog.parts?.previewOf(partOwnerOf(definition)) ?? ''],
    before: servers.ifHostedBy(hosting),
    after: servers.ifApproved(serverId, hosting),
    settings: calls?.settings?.() ?? DEFAULT_CALL_SETTINGS,
    grants: grants.all,
    hasOpenWorld: grants.hasOpenWorld({ serverId, fingerprint }),
    isFor: (name) => owners.isFor(name, { serverId, fingerprint }, () => isNameOfOther(name, serverId, parts)),
  });
}

/** What an approval changes beside that the server runs. */
interface ApprovalFacts {
  readonly definition: ServerDefinition;
  /** The configured name, and its part of callable names as it would be. */
  readonly names: readonly string[];
  /** All servers as they are, and as they would be. */
  readonly before: readonly ServerDefinition[];
  readonly after: readonly ServerDefinition[];
  readonly settings: Pick<CallSettings, 'rules' | 'trustAnnotations'>;
  readonly grants: readonly Grant[];
  /** Whether it may reach the open world without a question. */
  readonly hasOpenWorld: boolean;
  /** Whether a name in what the user allows stands for this server. */
  readonly isFor: (name: string) => boolean;
}

/** Which others it hides or renames, and what already counts for it. Pure. */
function consequencesOf(facts: ApprovalFacts): readonly string[] {
  return [...changesOfOthers(facts), ...rulesOf(facts), ...trustOf(facts), ...grantsOf(facts)];
}

function changesOfOthers({ definition, before, after }: ApprovalFacts): string[] {
  const next = new Map(after.map((each) => [each.id, each]));
  return before.flatMap((other) => {
    const then = next.get(other.id);
    if (!then || other.id === definition.id) return [];
    const called = say`${written(other.name)} (${written(other.entry.source.label)})`;
    const isHidden = then.status.kind === 'shadowed' && other.status.kind !== 'shadowed';
    return [
      ...(isHidden ? [say`It replaces the server ${called}, which doesn’t run then.`] : []),
      ...(then.name === other.name ? [] : [say`It renames the server ${called} to ${written(then.name)}.`]),
    ];
  });
}

function rulesOf({ definition: { entry }, names, settings, isFor }: ApprovalFacts): string[] {
  return settings.rules
    .filter((rule) => rule.source !== 'workspace' && isAbout(rule, names))
    .map((rule) => {
      const { action, tool, server } = rule;
      const which = { verbatim: `${action} ${quoted(tool)}` };
      const text = server === undefined ? which : say`${which} on ${written(server)}`;
      const counts = action !== 'allow' || isFor(serverOfRule(rule) ?? entry.name);
      return counts
        ? say`A rule counts for it: ${text}.`
        : say`A rule names it, but is for another server of this name, so its calls ask: ${text}.`;
    });
}

/** Whether a rule is about servers of these names, not about all. */
function isAbout(rule: PermissionRule, names: readonly string[]): boolean {
  const server = serverOfRule(rule);
  if (server === undefined || /^[*?]+$/.test(server)) return false;
  if (rule.action === 'allow') return names.includes(server);
  const all = [...names, ...names.flatMap(readableParts)];
  return all.some((each) => matchesGlob(plain(each), plain(server)));
}

function trustOf({ names, settings, isFor }: ApprovalFacts): string[] {
  const { trustAnnotations: trust } = settings;
  const name = names.find((each) => Object.hasOwn(trust, each));
  if (name === undefined) return [];
  const level = trust[name] ?? '';
  return isFor(name)
    ? [say`What it says of its tools is trusted by your setting: ${{ verbatim: level }}.`]
    : [say`Your setting that trusts what ${written(name)} says of its tools is for another server of this name.`];
}

function grantsOf({ definition, grants, hasOpenWorld }: ApprovalFacts): string[] {
  const tools = grants
    .filter(({ serverId, fingerprint }) => serverId === definition.id && fingerprint === definition.fingerprint)
    .map(({ tool, argsHash }) =>
      argsHash === undefined ? say`${written(tool)}` : say`${written(tool)} with certain arguments`,
    );
  return [
    ...(tools.length > 0
      ? [say`You allowed before: ${[...new Set(tools)].reduce((before, each) => say`${before}, ${each}`)}.`]
      : []),
    ...(hasOpenWorld ? [say`You allowed its reading tools before to reach the open world.`] : []),
  ];
}
