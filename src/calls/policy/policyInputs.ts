import { underlyingOf, type CatalogTool } from '../../catalog/catalogTool.ts';
import { serverOf } from '../../catalog/names/serverNames.ts';
import type { JsonObject } from '../../base/json/json.ts';
import type { PermissionRule } from '../../config/rules/permissionRules.ts';
import { isDisguised } from '../../servers/trust/lookAlikeNames.ts';
import { ANNOTATION_TRUST, type AnnotationTrust, type CallSettings } from '../callSettings.ts';
import { WritePatterns } from '../plan/writePatterns.ts';
import type { PolicyInput } from './callPolicy.ts';
import { GrantPins } from './grantPins.ts';
import type { GrantKey, Grants } from './permissionGrants.ts';
import { serverOfRule, type RuleOwners } from './rules/ruleOwners.ts';
import { RuleSet, stricterOf } from './rules/ruleSet.ts';

export interface PolicyInputPorts {
  fingerprintOf(serverId: string): string | undefined;
  /** The rules of a server's entry, the same list for as long as it is the same; absent: none have any. */
  entryRulesOf?(serverId: string): readonly PermissionRule[] | undefined;
  /** Whether the tool changed since its approval and the change isn't reviewed; absent: never. */
  isChanged?(tool: CatalogTool): boolean;
  /** Whether the tool came after its server was approved, and no call of it was allowed yet; absent: never. */
  isNew?(tool: CatalogTool): boolean;
  /** Whether another server has more right to this name than this one, which may have it, too; absent: never. */
  isNameOfOther?(name: string, serverId: string): boolean;
  /** The open folders, where links in paths are followed; absent: none. */
  folders?(): readonly string[];
  settings(): CallSettings;
}

/** Gathers what the policy decides calls by, and keeps what can be known of a tool and of the rules beforehand. */
export class PolicyInputs {
  readonly #ports: PolicyInputPorts;
  readonly #grants: Grants;
  readonly #owners: RuleOwners;
  readonly #pins = new GrantPins();
  readonly #ruleSets = new WeakMap<readonly PermissionRule[], RuleSet>();
  readonly #oddNames = new WeakMap<CatalogTool, boolean>();
  #patterns: { readonly from: readonly string[]; readonly patterns: WritePatterns } | undefined;

  constructor(ports: PolicyInputPorts, { grants, owners }: { readonly grants: Grants; readonly owners: RuleOwners }) {
    this.#ports = ports;
    this.#grants = grants;
    this.#owners = owners;
  }

  /** What a grant for this tool is bound to. `caller`: absent for the editor's own agents. */
  keyOf(tool: CatalogTool, caller?: string): GrantKey {
    return {
      ...(caller === undefined ? {} : { caller }),
      serverId: tool.serverId,
      fingerprint: this.#ports.fingerprintOf(tool.serverId) ?? '',
      tool: underlyingOf(tool).name,
      pin: this.#pins.pinOf(tool),
    };
  }

  /** The policy's input that doesn't depend on the arguments. */
  traitsOf(tool: CatalogTool): Pick<PolicyInput, 'annotations' | 'trust' | 'writePattern' | 'oddName'> {
    const settings = this.#ports.settings();
    return {
      annotations: underlyingOf(tool).annotations,
      trust: this.#trustOf(settings.trustAnnotations, tool),
      oddName: this.#hasOddName(tool),
      writePattern: this.#writePatterns(settings.writePatterns).patternFor(tool),
    };
  }

  /** What the policy decides a call by. `caller`: absent for the editor's own agents. */
  of(tool: CatalogTool, args: JsonObject, caller?: string): PolicyInput {
    const settings = this.#ports.settings();
    const key = this.keyOf(tool, caller);
    const own = this.#ports.entryRulesOf?.(tool.serverId);
    const folders = this.#ports.folders?.() ?? [];
    const rule = stricterOf(
      this.#ruleSet(settings.rules).match(tool, args, folders),
      own && this.#ruleSet(own).match(tool, args, folders),
    );
    const named = rule?.action === 'allow' ? serverOfRule(rule) : undefined;
    return {
      ...this.traitsOf(tool),
      mode: settings.approvalMode,
      rule,
      isForOther: named !== undefined && !this.#isFor(named, tool),
      isNew: rule?.action === 'allow' && this.#ports.isNew?.(tool) === true,
      granted: this.#grants.has(key, args),
      changed: this.#ports.isChanged?.(tool) === true,
      openWorldGranted: this.#grants.hasOpenWorld(key),
    };
  }

  /** Whether a name that opens something stands for this tool's server. */
  #isFor(name: string, { serverId }: CatalogTool): boolean {
    const fingerprint = this.#ports.fingerprintOf(serverId) ?? '';
    return this.#owners.isFor(
      name,
      { serverId, fingerprint },
      () => this.#ports.isNameOfOther?.(name, serverId) === true,
    );
  }

  /** Binds a rule's name of a server to the definition that it is used with: at the first use, or after an answer. `undefined`: there is nothing to bind. */
  bind({ rule, isForOther }: PolicyInput, { serverId }: CatalogTool, isAnswered = false): Promise<void> | undefined {
    const name = rule?.action === 'allow' ? serverOfRule(rule) : undefined;
    if (name === undefined || isForOther !== isAnswered) return undefined;
    return this.#owners.set(name, { serverId, fingerprint: this.#ports.fingerprintOf(serverId) ?? '' });
  }

  /** How far annotations are trusted; a setting for one name that trusts more counts for the definition that has it. */
  #trustOf(settings: CallSettings['trustAnnotations'], tool: CatalogTool): AnnotationTrust {
    const server = serverOf(tool);
    const name = [server.configuredName, server.part].find((each) => Object.hasOwn(settings, each));
    const own = name === undefined ? undefined : settings[name];
    const others = settings['*'] ?? 'all';
    if (name === undefined || own === undefined) return others;
    return ANNOTATION_TRUST.indexOf(own) >= ANNOTATION_TRUST.indexOf(others) || this.#isFor(name, tool) ? own : others;
  }

  #hasOddName(tool: CatalogTool): boolean {
    let known = this.#oddNames.get(tool);
    if (known === undefined) {
      const { name } = underlyingOf(tool);
      known = isDisguised(name) || isDisguised(tool.tool.name);
      this.#oddNames.set(tool, known);
    }
    return known;
  }

  #ruleSet(rules: readonly PermissionRule[]): RuleSet {
    let set = this.#ruleSets.get(rules);
    if (!set) {
      set = new RuleSet(rules);
      this.#ruleSets.set(rules, set);
    }
    return set;
  }

  #writePatterns(patterns: readonly string[]): WritePatterns {
    if (this.#patterns?.from !== patterns) this.#patterns = { from: patterns, patterns: new WritePatterns(patterns) };
    return this.#patterns.patterns;
  }
}
