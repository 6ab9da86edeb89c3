// Loaded when there are hooks.
import { stableStringify, type JsonObject } from '../../base/json/json.ts';
import type { CatalogTool } from '../../catalog/catalogTool.ts';
import type { NamesInUse } from '../../catalog/names/lookAlikeTools.ts';
import type { ConfigProblem } from '../../config/configTypes.ts';
import { hookNamesOf, HookMatcher, realNameOf } from './hookMatcher.ts';
import { runCodeHook, runHook } from './runHook.ts';
import {
  HOOK_EVENTS,
  type CodeHook,
  type HookEvent,
  type HookInput,
  type HookOutcome,
  type HookPorts,
  type HookVerdict,
} from './hookTypes.ts';
import { say } from '../../base/say.ts';

/** How often each hook is run for one call at most: those that change the arguments back and forth never end. */
const MAX_ROUNDS = 5;

/** A call as hooks see it. */
export interface HookedCall {
  readonly tool: CatalogTool;
  /** As the server gets them. */
  readonly args: JsonObject;
  /** After the call. */
  readonly response?: unknown;
  /** What a matcher could fit; absent: it isn't said that one fits nothing. */
  readonly known: NamesInUse | undefined;
  readonly signal: AbortSignal;
}

interface Ready {
  readonly mayAllow: boolean;
  run(input: HookInput, signal: AbortSignal): Promise<HookOutcome>;
}

/** Hooks with the same matcher. */
interface Group {
  readonly matcher: HookMatcher;
  readonly hooks: readonly Ready[];
  /** Some of its hooks can't be run here. */
  readonly isPartial: boolean;
}

/** Runs the hooks that are for a call. */
export class CallHooks {
  readonly #ports: HookPorts;
  readonly #code: ReadonlySet<CodeHook>;
  readonly #matchers = new Map<string, HookMatcher>();

  /** @param code hooks of other extensions */
  constructor(ports: HookPorts, code: ReadonlySet<CodeHook>) {
    this.#ports = ports;
    this.#code = code;
  }

  /**
   * Before a call: what the hooks say together of the call as it will be sent. Each hook sees the arguments as the others
   * left them: after a change the others run again, and what they said before is void.
   */
  async before(call: HookedCall): Promise<HookVerdict> {
    const groups = this.#groups('PreToolUse');
    const hooks = this.#hooksFor(groups, call);
    const verdicts: (HookVerdict | undefined)[] = hooks.map(() => undefined);
    let input: JsonObject | undefined;
    for (let runs = 0; verdicts.includes(undefined); runs++) {
      if (runs === hooks.length * MAX_ROUNDS)
        return { decision: 'deny', reason: say`hooks change the arguments again and again` };
      const at = verdicts.indexOf(undefined);
      const { input: changed, ...verdict } = await this.#run(hooks[at], 'PreToolUse', {
        ...call,
        args: input ?? call.args,
      });
      if (changed && stableStringify(changed) !== stableStringify(input ?? call.args)) {
        input = changed;
        verdicts.fill(undefined);
      }
      verdicts[at] = verdict;
      if (verdict.decision === 'deny') return verdict;
    }
    const doubts = this.#doubtsOf(groups, call).map((reason): HookVerdict => ({ decision: 'ask', reason }));
    const said = [...doubts, ...verdicts].reduce<HookVerdict>((all, each) => joined(all, each ?? {}), {});
    return input ? { ...said, input } : said;
  }

  /** After a call: each hook sees the result as the one before left it. */
  async after(call: HookedCall): Promise<HookVerdict> {
    let verdict: HookVerdict = {};
    const hooks = this.#hooksFor(this.#groups('PostToolUse'), call);
    for (const hook of hooks) {
      const response = verdict.output ?? call.response;
      verdict = joined(verdict, await this.#run(hook, 'PostToolUse', { ...call, response }));
    }
    return verdict;
  }

  /** Matchers that fit nothing or can't be read, and hooks that can't be run. */
  problems(known: NamesInUse): readonly ConfigProblem[] {
    const { hooks } = this.#ports.settings();
    return HOOK_EVENTS.flatMap((event) =>
      hooks[event].flatMap(({ matcher, isPartial }) => {
        const fault = this.#matcher(matcher).faultAmong(known);
        const partial =
          isPartial === true ? [{ message: partialText(matcher), fix: say`Use hooks of type "command".` }] : [];
        return [...(fault ? [fault] : []), ...partial].map(({ message, fix }): ConfigProblem => ({
          code: 'invalid-hook',
          severity: 'warning',
          message: `${event}: ${message}`,
          fix,
          range: {
            sourceId: 'mcpSwitchboard.hooks',
            line: 1,
            column: 1,
            endLine: 1,
            endColumn: 1,
            offset: 0,
            length: 0,
          },
        }));
      }),
    );
  }

  /** What may have been meant to guard the call, and doesn't. */
  #doubtsOf(groups: readonly Group[], { tool, known }: HookedCall): readonly string[] {
    return groups.flatMap(({ matcher, isPartial }) => {
      if (matcher.fault) return [`a hook can’t be run: ${asClause(matcher.fault)}`];
      if (matcher.fits(hookNamesOf(tool))) return isPartial ? ['a hook can’t be run: it isn’t a command'] : [];
      const fault = known && matcher.mayMean(tool) ? matcher.faultAmong(known) : matcher.fault;
      return fault ? [`a hook may be for this tool: ${asClause(fault)}`] : [];
    });
  }

  async #run(
    hook: Ready | undefined,
    event: HookEvent,
    { tool, args, response, signal }: HookedCall,
  ): Promise<HookVerdict> {
    if (!hook) return {};
    const input: HookInput = {
      hook_event_name: event,
      session_id: this.#ports.sessionId,
      cwd: this.#ports.cwd(),
      tool_name: realNameOf(tool),
      tool_input: args,
      ...(response === undefined ? {} : { tool_response: response }),
    };
    const outcome = await hook.run(input, signal);
    switch (outcome.kind) {
      case 'said': {
        const { decision, ...rest } = outcome.verdict;
        return decision === undefined || (decision === 'allow' && !hook.mayAllow) ? rest : { decision, ...rest };
      }
      case 'missing':
      case 'denied':
      case 'failed': {
        const isIgnored = this.#ports.settings().hookFailure === 'ignore';
        // A guard that never ran has said nothing: what is ignored is the failure of one that runs.
        if (outcome.kind === 'failed' && isIgnored) return {};
        const reason = say`a ${event} hook failed: ${outcome.why}`;
        if (event === 'PostToolUse') return { note: `(${reason})` };
        return { decision: outcome.kind === 'missing' || isIgnored ? 'ask' : 'deny', reason };
      }
    }
  }

  #hooksFor(groups: readonly Group[], { tool }: HookedCall): readonly Ready[] {
    return groups.filter(({ matcher }) => matcher.fits(hookNamesOf(tool))).flatMap(({ hooks }) => hooks);
  }

  #groups(event: HookEvent): readonly Group[] {
    const { stateDir } = this.#ports;
    const commands = this.#ports.settings().hooks[event].map(({ matcher, hooks, source, isPartial = false }) => ({
      matcher: this.#matcher(matcher),
      isPartial,
      hooks: hooks.map((hook) => ({
        mayAllow: source === 'user',
        run: (input: HookInput, signal: AbortSignal) =>
          runHook(hook, input, signal, {
            source,
            stateDir,
            isTrusted: this.#ports.isTrusted(),
            denialOf: (command) => this.#ports.denialOf(command),
          }),
      })),
    }));
    const code = [...this.#code]
      .filter((hook) => hook.event === event)
      .map((hook) => ({
        matcher: this.#matcher(hook.matcher),
        isPartial: false,
        hooks: [{ mayAllow: false, run: (input: HookInput, signal: AbortSignal) => runCodeHook(hook, input, signal) }],
      }));
    return [...commands, ...code];
  }

  #matcher(text: string): HookMatcher {
    let matcher = this.#matchers.get(text);
    if (!matcher) {
      matcher = new HookMatcher(text);
      this.#matchers.set(text, matcher);
    }
    return matcher;
  }
}

function partialText(matcher: string): string {
  return say`A hook with the matcher "${matcher}" isn’t a command and can’t be run.`;
}

const STRICTNESS = { deny: 0, ask: 1, allow: 2 } as const;

function joined(one: HookVerdict, other: HookVerdict): HookVerdict {
  const keepsOne =
    one.decision !== undefined &&
    (other.decision === undefined || STRICTNESS[one.decision] <= STRICTNESS[other.decision]);
  const notes = [one.note, other.note].filter((note) => note !== undefined).join('\n');
  const { decision, reason } = keepsOne ? one : other;
  return {
    ...one,
    ...other,
    ...(decision === undefined ? {} : { decision }),
    ...(reason === undefined ? {} : { reason }),
    ...(notes === '' ? {} : { note: notes }),
  };
}

/** A sentence as the end of another one, which brings its own full stop. */
function asClause({ message }: { readonly message: string }): string {
  return message.replace(/\.$/, '');
}
