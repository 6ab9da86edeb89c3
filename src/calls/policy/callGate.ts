import type { Clock } from '../../base/clock.ts';
import { SwitchboardError } from '../../base/errors.ts';
import { stableStringify, type JsonObject } from '../../base/json.ts';
import { LookAlikeCache, type NamesInUse } from '../../catalog/names/lookAlikeTools.ts';
import { configuredNameOf, underlyingOf, type CatalogTool } from '../../catalog/catalogTool.ts';
import type { PermissionRule } from '../../config/rules/permissionRules.ts';
import { type GrantKey, type Grants, GrantPins } from './grants.ts';
import type { HookVerdict } from '../hooks/hookTypes.ts';
import { askUser, denialError } from './askUser.ts';
import { callerOf, type Caller } from './callers.ts';
import { OpenQuestions, type SharedAnswer, type SharedRun } from './openQuestions.ts';
import { planModeVerdict, type PlanMode } from '../plan/planMode.ts';
import { decideByPolicy, trustedEffect, type PolicyInput } from './callPolicy.ts';
import { isDisguised } from '../../servers/trust/lookAlikeNames.ts';
import { type RuleOwners, serverOfRule } from './ruleOwners.ts';
import { RuleSet, stricterOf, type RuleTarget } from './ruleSet.ts';
import { ANNOTATION_TRUST, type AnnotationTrust, type CallSettings } from '../callSettings.ts';
import type { SideEffects } from '../callRetries.ts';
import type { CallTrace } from '../callTrace.ts';
import { ANSWERS, type Answer, type Asker, type Decision, type ToolCall } from '../callTypes.ts';
import { WritePatterns } from '../plan/writePatterns.ts';

export interface CallGatePorts {
  fingerprintOf(serverId: string): string | undefined;
  /** The rules of a server's entry, the same list for as long as it is the same; absent: none have any. */
  entryRulesOf?(serverId: string): readonly PermissionRule[] | undefined;
  /** Whether the tool changed since its approval and the change isn't reviewed; absent: never. */
  isChanged?(tool: CatalogTool): boolean;
  /** Whether the tool came after its server was approved, and no call of it was allowed yet; absent: never. */
  isNew?(tool: CatalogTool): boolean;
  /** The user allowed a call of a new tool. */
  acknowledge?(tool: CatalogTool): void;
  /** Whether the user's own files define a server of the same configured name, and this isn't it; absent: never. */
  hasUsersNamesake?(serverId: string): boolean;
  /** What look-alikes are looked for among; absent: they are not looked for. */
  readonly names?: NamesInUse;
  /** The open folders, where links in paths are followed; absent: none. */
  folders?(): readonly string[];
  settings(): CallSettings;
  readonly asker: Asker;
  readonly clock: Clock;
  /** As `AskUserPorts.shown`. */
  readonly shown?: (args: JsonObject) => JsonObject;
}

/** What decisions use and change. */
export interface GateState {
  readonly grants: Grants;
  readonly owners: RuleOwners;
  readonly plan: PlanMode;
}

const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const;

/** A call that is to be authorized. */
export interface GatedCall {
  readonly tool: CatalogTool;
  /** As the server would get them. */
  readonly args: JsonObject;
  readonly call: ToolCall;
  /** What hooks decided. */
  readonly hooks: HookVerdict;
  /**
   * Set if the user started this call and saw its arguments. `stamp`: identifies the tool as it was when the call was
   * saved.
   */
  readonly started: { readonly stamp?: string | undefined } | undefined;
  /** `false`: a call that would be asked about is denied. */
  readonly asks?: boolean;
}

/**
 * Has the last word on whether a call runs. In this order: the policy (`decideByPolicy`: rules, approval mode, annotations,
 * grants), hooks, plan mode, and the user.
 */
export class CallGate {
  readonly #ports: CallGatePorts;
  readonly #grants: Grants;
  readonly #owners: RuleOwners;
  readonly #plan: PlanMode;
  readonly #pins = new GrantPins();
  readonly #questions = new OpenQuestions();
  readonly #lookAlikes: LookAlikeCache;
  readonly #ruleSets = new WeakMap<readonly PermissionRule[], RuleSet>();
  #patterns: { readonly from: readonly string[]; readonly patterns: WritePatterns } | undefined;

  constructor(ports: CallGatePorts, { grants, owners, plan }: GateState) {
    this.#ports = ports;
    this.#grants = grants;
    this.#owners = owners;
    this.#plan = plan;
    this.#lookAlikes = new LookAlikeCache(ports.names ?? { tools: () => [], servers: () => [] });
  }

  /** What the policy decides about a call, without a question: for explanations and benchmarks. */
  explain(tool: CatalogTool, args: JsonObject): Decision {
    return decideAsShown(tool, this.#input(tool, args));
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

  /** Identifies the tool as it is now: another definition of server or tool has another stamp. */
  stampOf(tool: CatalogTool): string {
    const { fingerprint, pin } = this.keyOf(tool);
    return `${fingerprint} ${pin}`;
  }

  /** Whether the tool can make changes, and whether a call of it can safely be repeated. */
  sideEffectsOf(tool: CatalogTool): SideEffects {
    const input = this.#traits(tool);
    const writes = trustedEffect(input).effect !== 'read-only';
    return {
      writes,
      safeToRepeat: !writes || (input.trust === 'all' && input.annotations.idempotentHint === true),
    };
  }

  /**
   * Decides on a call, and asks the user if necessary. `queued`: it belongs in the plan; a `SharedRun`: it was allowed once,
   * with calls that are identical.
   * @throws SwitchboardError `denied`
   */
  async authorize(gateCall: GatedCall, trace: CallTrace): Promise<'run' | 'queued' | SharedRun> {
    const { tool, args, call, hooks, started } = gateCall;
    const caller = callerOf(call);
    const input = this.#input(tool, args, caller.id);
    await this.#bind(input, tool);
    let decision = applyHookVerdict(decideAsShown(tool, input), hooks);
    trace.decision = decision;
    if (decision.action === 'deny')
      throw new SwitchboardError('denied', `Denied: ${decision.reason}. The tool did not run.`);
    if (started) {
      const isSame = started.stamp === undefined || started.stamp === this.stampOf(tool);
      // What a hook changed in it, the user hasn't seen: then it is decided like any call.
      if (isSame && !hooks.input) {
        trace.decision = { ...decision, action: 'allow', reason: 'you ran it manually' };
        return 'run';
      }
      if (!isSame) {
        const reason =
          started.stamp === ''
            ? 'the saved call doesn’t say what this tool was at the time'
            : 'this tool changed since the call was saved';
        decision = { ...decision, action: 'ask', reason, changed: true, lasting: false };
        trace.decision = decision;
      }
    } else if (this.#plan.on) {
      const verdict = planModeVerdict(
        input.oddName === true ? {} : input.annotations,
        input.writePattern,
        input.trust === 'all',
      );
      if (verdict === 'queue') {
        trace.decision = { ...decision, reason: 'plan mode is on and this tool can make changes' };
        return 'queued';
      }
      if (verdict === 'ask' && decision.action === 'allow') {
        const reason = 'plan mode is on and this tool doesn’t say whether it makes changes';
        decision = { ...decision, action: 'ask', reason, lasting: false };
        trace.decision = decision;
      }
    }
    if (decision.action === 'allow') return 'run';
    if (gateCall.asks === false)
      throw new SwitchboardError('denied', `Denied: ${decision.reason}. This request is never asked about.`);
    const asked = await this.#ask(gateCall, caller, decision);
    // Anything but one of our answers is a denial.
    const answer = ANSWERS.find((each) => each === asked.answer) ?? 'deny';
    trace.answer = answer;
    if (answer === 'deny') throw denialError(call, decision, asked.answer);
    if (asked.isFirst) await this.#remember(answer, gateCall, caller, decision);
    if (caller.reach === 'workspace') {
      if (answer !== 'once') await this.#bind(input, tool, true);
      this.#ports.acknowledge?.(tool);
    }
    return answer === 'once' && !isForServer(decision, caller) ? asked.run : 'run';
  }

  #ask({ tool, args, call }: GatedCall, caller: Caller, decision: Decision): Promise<SharedAnswer> {
    const ports = { ...this.#ports, lookAlikes: this.#lookAlikes };
    const key = this.keyOf(tool, caller.id);
    const about = isForServer(decision, caller) ? [key.serverId, key.fingerprint] : [key, args, decision];
    return this.#questions.ask(stableStringify([caller, call.caller, about]), call.signal, (signal) =>
      askUser(ports, { tool, args, call, reach: caller.reach }, decision, signal),
    );
  }

  /** The policy's input that doesn't depend on the arguments. */
  #traits(tool: CatalogTool): Pick<PolicyInput, 'annotations' | 'trust' | 'writePattern' | 'oddName'> {
    const settings = this.#ports.settings();
    return {
      annotations: underlyingOf(tool).annotations,
      trust: this.#trustOf(settings.trustAnnotations, tool),
      oddName: this.#hasOddName(tool),
      writePattern: this.#writePatterns(settings.writePatterns).patternFor(tool),
    };
  }

  #input(tool: CatalogTool, args: JsonObject, caller?: string): PolicyInput {
    const settings = this.#ports.settings();
    const key = this.keyOf(tool, caller);
    const target = this.#targetOf(tool);
    const own = this.#ports.entryRulesOf?.(tool.serverId);
    const folders = this.#ports.folders?.() ?? [];
    const rule = stricterOf(
      this.#ruleSet(settings.rules).match(target, args, folders),
      own && this.#ruleSet(own).match(target, args, folders),
    );
    const named = rule?.action === 'allow' ? serverOfRule(rule) : undefined;
    return {
      ...this.#traits(tool),
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
    return this.#owners.isOwner(name, { serverId, fingerprint }) ?? this.#ports.hasUsersNamesake?.(serverId) !== true;
  }

  /** Binds a rule's name of a server to the definition that it is used with: at the first use, or after an answer. */
  async #bind({ rule, isForOther }: PolicyInput, { serverId }: CatalogTool, isAnswered = false): Promise<void> {
    const name = rule?.action === 'allow' ? serverOfRule(rule) : undefined;
    if (name === undefined || isForOther !== isAnswered) return;
    await this.#owners.set(name, { serverId, fingerprint: this.#ports.fingerprintOf(serverId) ?? '' });
  }

  /** How far annotations are trusted; a setting for one name that trusts more counts for the definition that has it. */
  #trustOf(settings: CallSettings['trustAnnotations'], tool: CatalogTool): AnnotationTrust {
    const name = configuredNameOf(tool);
    const own = Object.hasOwn(settings, name) ? settings[name] : undefined;
    const others = settings['*'] ?? 'all';
    if (own === undefined) return others;
    return ANNOTATION_TRUST.indexOf(own) >= ANNOTATION_TRUST.indexOf(others) || this.#isFor(name, tool) ? own : others;
  }

  readonly #oddNames = new WeakMap<CatalogTool, boolean>();

  #hasOddName(tool: CatalogTool): boolean {
    let known = this.#oddNames.get(tool);
    if (known === undefined) {
      const { name } = underlyingOf(tool);
      known = isDisguised(name) || isDisguised(tool.tool.name);
      this.#oddNames.set(tool, known);
    }
    return known;
  }

  readonly #targets = new WeakMap<CatalogTool, RuleTarget>();

  /** The same object for the same tool, so that what is known of it can be kept. */
  #targetOf(tool: CatalogTool): RuleTarget {
    let target = this.#targets.get(tool);
    if (!target) {
      target = {
        callableName: tool.name,
        serverName: configuredNameOf(tool),
        toolName: underlyingOf(tool).name,
        ...(tool.underlying ? { shownName: tool.tool.name } : {}),
      };
      this.#targets.set(tool, target);
    }
    return target;
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

  /** Keeps an answer that holds for later calls, as far as it was offered. */
  async #remember(
    answer: Exclude<Answer, 'deny'>,
    { tool, args }: GatedCall,
    caller: Caller,
    decision: Decision,
  ): Promise<void> {
    const isLasting = answer === 'always' || answer === 'alwaysArgs';
    if (caller.reach === 'call' || (caller.reach === 'session' && isLasting)) return;
    const key = this.keyOf(tool, caller.id);
    if (isForServer(decision, caller) && answer !== 'alwaysArgs') {
      await this.#grants.grantOpenWorld(key, answer === 'always');
    } else if (decision.lasting !== false) {
      const request = { key, serverName: tool.serverName, at: this.#ports.clock.now() };
      if (answer === 'session') this.#grants.grantForSession(request);
      if (answer === 'always') await this.#grants.grantAlways(request);
      if (answer === 'alwaysArgs') await this.#grants.grantAlways({ ...request, args });
    }
  }
}

/** Whether an answer is for all reading tools of the server, as a question about the open world says. */
function isForServer({ openWorld }: Decision, { reach }: Caller): boolean {
  return openWorld === true && reach !== 'call';
}

/** An override can make the policy for a tool stricter than the server's annotations, never less strict. */
function decideAsShown(tool: CatalogTool, input: PolicyInput): Decision {
  const decision = decideByPolicy(input);
  if (!tool.underlying) return decision;
  const shown = decideByPolicy({ ...input, annotations: tool.tool.annotations });
  return STRICTNESS[shown.action] > STRICTNESS[decision.action] ? shown : decision;
}

/**
 * A hook can make any decision stricter. It can allow only a call that would be asked about without a rule, and no tool
 * with a warning. Pure.
 */
export function applyHookVerdict(decision: Decision, verdict: HookVerdict): Decision {
  if (verdict.decision === undefined) return decision;
  const because = verdict.reason === undefined ? '' : `: ${verdict.reason}`;
  switch (verdict.decision) {
    case 'deny':
      return { ...decision, action: 'deny', reason: `a hook denied it${because}` };
    case 'ask':
      return decision.action === 'allow'
        ? { ...decision, action: 'ask', reason: `a hook requires confirmation${because}`, lasting: false }
        : decision;
    case 'allow':
      return decision.action === 'ask' && decision.lasting !== false && !decision.flagged && !decision.changed
        ? { ...decision, action: 'allow', reason: `one of your hooks allowed it${because}` }
        : decision;
  }
}
