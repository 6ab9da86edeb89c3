import type { Clock } from '../../base/clock.ts';
import { SwitchboardError } from '../../base/errors.ts';
import { stableStringify, type JsonObject } from '../../base/json/json.ts';
import { LookAlikeCache, type NamesInUse } from '../../catalog/names/lookAlikeTools.ts';
import type { CatalogTool } from '../../catalog/catalogTool.ts';
import type { GrantKey, Grants } from './permissionGrants.ts';
import type { HookVerdict } from '../hooks/hookTypes.ts';
import { askUser, denialError } from './askUser.ts';
import { callerOf, type Caller } from './permissionScope.ts';
import { OpenQuestions, SharedRun, type SharedAnswer } from './openQuestions.ts';
import { planModeVerdict, type PlanMode } from '../plan/planMode.ts';
import { decideByPolicy, trustedEffect, type PolicyInput } from './callPolicy.ts';
import { PolicyInputs, type PolicyInputPorts } from './policyInputs.ts';
import { RefusedReads } from './refusedReads.ts';
import type { RuleOwners } from './rules/ruleOwners.ts';
import type { SideEffects } from '../scheduling/callSender.ts';
import type { CallTrace } from '../callTrace.ts';
import { ANSWERS, type Answer, type Asker, type Decision, type ToolCall } from '../callTypes.ts';
import { say } from '../../base/say.ts';

export interface CallGatePorts extends PolicyInputPorts {
  /** The user allowed a call of a new tool. */
  acknowledge?(tool: CatalogTool): void;
  /** What look-alikes are looked for among; absent: they are not looked for. */
  readonly names?: NamesInUse;
  readonly asker: Asker;
  readonly clock: Clock;
  /** As `AskUserPorts.shown`. */
  readonly shown?: (args: JsonObject) => JsonObject;
  /** As `AskUserPorts.accountOf`. */
  readonly accountOf?: (serverId: string) => string | undefined;
  /** Told of what was decided about each call, before it runs. */
  readonly decided?: (call: DecidedCall) => void;
}

/** What was decided about a call: `run`, `queued`, `deny`, or the user's answer. */
export interface DecidedCall {
  readonly serverId: string;
  readonly callId: string;
  readonly tool: CatalogTool;
  readonly outcome: string;
  /** A clause, after “because”. */
  readonly why: string;
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
  /** What is asked for changed since it was approved, beside what the tool itself says. */
  readonly isChanged?: boolean;
  /** What is asked for needs an answer of the user's own, whatever else was allowed. */
  readonly isUnseen?: boolean;
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
  readonly #plan: PlanMode;
  readonly #inputs: PolicyInputs;
  readonly #questions = new OpenQuestions();
  readonly #lookAlikes: LookAlikeCache;
  readonly #refusedReads: RefusedReads;

  constructor(ports: CallGatePorts, { grants, owners, plan }: GateState) {
    this.#ports = ports;
    this.#grants = grants;
    this.#plan = plan;
    this.#inputs = new PolicyInputs(ports, { grants, owners });
    this.#refusedReads = new RefusedReads(ports.clock);
    this.#lookAlikes = new LookAlikeCache(ports.names ?? { tools: () => [], servers: () => [] });
  }

  /** What the policy decides about a call, without a question: for explanations and benchmarks. */
  explain(tool: CatalogTool, args: JsonObject): Decision {
    return decideAsShown(tool, this.#inputs.of(tool, args));
  }

  /** What a grant for this tool is bound to. `caller`: absent for the editor's own agents. */
  keyOf(tool: CatalogTool, caller?: string): GrantKey {
    return this.#inputs.keyOf(tool, caller);
  }

  /** Identifies the tool as it is now: another definition of server or tool has another stamp. */
  stampOf(tool: CatalogTool): string {
    const { fingerprint, pin } = this.keyOf(tool);
    return `${fingerprint} ${pin}`;
  }

  /** Whether the tool can make changes, and whether a call of it can safely be repeated. */
  sideEffectsOf(tool: CatalogTool): SideEffects {
    const input = this.#inputs.traitsOf(tool);
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
    let outcome = 'deny';
    try {
      const permit = await this.#authorize(gateCall, trace);
      outcome = trace.answer ?? (permit === 'queued' ? permit : 'run');
      return permit;
    } finally {
      const { tool } = gateCall;
      const why = trace.decision?.reason ?? '';
      this.#ports.decided?.({ serverId: tool.serverId, callId: trace.key, tool, outcome, why });
    }
  }

  async #authorize(gateCall: GatedCall, trace: CallTrace): Promise<'run' | 'queued' | SharedRun> {
    trace.account = this.#ports.accountOf?.(gateCall.tool.serverId);
    const { tool, args, call, hooks, started, isChanged = false, isUnseen = false } = gateCall;
    const caller = callerOf(call);
    const known = this.#inputs.of(tool, args, caller.id);
    // What was granted, a tool that stands for all prompts or skills, doesn't know what changed or is new.
    const own = { changed: isChanged || known.changed === true, unseen: isUnseen, granted: false };
    const input = isChanged || isUnseen ? { ...known, ...own } : known;
    await this.#inputs.bind(input, tool);
    let decision = applyHookVerdict(decideAsShown(tool, input), hooks);
    trace.decision = decision;
    if (decision.action === 'deny')
      throw new SwitchboardError('denied', say`Denied: ${decision.reason}. The tool did not run.`);
    if (started) {
      const isSame = started.stamp === undefined || started.stamp === this.stampOf(tool);
      // What a hook changed in it, the user hasn't seen: then it is decided like any call.
      if (isSame && !hooks.input) {
        trace.decision = { ...decision, action: 'allow', reason: say`you ran it manually` };
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
        trace.decision = { ...decision, reason: say`plan mode is on and this tool can make changes` };
        return 'queued';
      }
      if (verdict === 'ask' && decision.action === 'allow') {
        const reason = say`plan mode is on and this tool doesn’t say whether it makes changes`;
        decision = { ...decision, action: 'ask', reason, lasting: false };
        trace.decision = decision;
      }
    }
    if (decision.action === 'allow') return 'run';
    if (gateCall.asks === false)
      throw new SwitchboardError('denied', say`Denied: ${decision.reason}. This request is never asked about.`);
    const read = isEditorsRead(gateCall) ? this.stampOf(tool) + tool.serverId : undefined;
    if (read !== undefined && this.#refusedReads.has(read))
      throw new SwitchboardError('denied', say`Denied: the user refused this server’s resources a few minutes ago.`);
    trace.phase = 'asking';
    const begun = performance.now();
    const asked = await this.#ask(gateCall, caller, decision).finally(() => {
      trace.askedMs = performance.now() - begun;
      trace.phase = 'checking';
    });
    // Anything but one of our answers is a denial.
    const answer = ANSWERS.find((each) => each === asked.answer) ?? 'deny';
    trace.answer = answer;
    if (answer === 'deny') {
      if (read !== undefined && !call.signal.aborted) this.#refusedReads.add(read);
      throw denialError(call, decision, asked.answer);
    }
    if (asked.isFirst) await this.#remember(answer, gateCall, caller, decision);
    if (caller.reach === 'workspace') {
      if (answer !== 'once') await this.#inputs.bind(input, tool, true);
      this.#ports.acknowledge?.(tool);
    }
    return answer === 'once' && !isForServer(decision, caller) ? asked.run : 'run';
  }

  #ask({ tool, args, call }: GatedCall, caller: Caller, decision: Decision): Promise<SharedAnswer> {
    const user = this.#ports.asker;
    const asker = call.script?.asker ?? call.asking?.(user) ?? user;
    const ports = { ...this.#ports, asker, lookAlikes: this.#lookAlikes };
    const question = { tool, args, call, reach: caller.reach };
    // The user sees each call of a script, also those that are the same.
    if (call.script)
      return askUser(ports, question, decision, call.signal).then((answer) => ({
        answer,
        isFirst: true,
        run: new SharedRun(),
      }));
    const key = this.keyOf(tool, caller.id);
    const about = isForServer(decision, caller) ? [key.serverId, key.fingerprint] : [key, args, decision];
    return this.#questions.ask(stableStringify([caller, call.caller, about]), call.signal, (signal) =>
      askUser(ports, question, decision, signal),
    );
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

/** Whether the editor itself may read it, to show a result that refers to it: it does so through its gateway. */
function isEditorsRead({ tool, call }: GatedCall): boolean {
  // No tool has a name with a slash.
  return call.surface === 'gateway' && tool.name.endsWith('__resources/read');
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
      return { ...decision, action: 'deny', reason: say`a hook denied it${because}` };
    case 'ask':
      return decision.action === 'allow'
        ? { ...decision, action: 'ask', reason: say`a hook requires confirmation${because}`, lasting: false }
        : decision;
    case 'allow':
      return decision.action === 'ask' && decision.lasting !== false && !decision.flagged && !decision.changed
        ? { ...decision, action: 'allow', reason: say`one of your hooks allowed it${because}` }
        : decision;
  }
}
