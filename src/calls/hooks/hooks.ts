import { toDisposable, type Disposable } from '../../base/disposable.ts';
import type { JsonObject } from '../../base/json.ts';
import { hasHooks, matcherFits } from './hookSettings.ts';
import type { CodeHook, HookEvent, HookFailure, HookGroups, HookInput, HookOutcome, HookVerdict } from './hookTypes.ts';

/** What hooks are run with. */
export interface HookPorts {
  settings(): { readonly hooks: HookGroups; readonly hookFailure: HookFailure };
  /** The project's folder. */
  cwd(): string;
  /** Whether the user trusts it. */
  isTrusted(): boolean;
  /** The extension's storage, where hooks of the user run; without it, in a temporary folder. */
  readonly stateDir: string | undefined;
  /** Why the allow and deny lists don't let a command run. */
  denialOf(command: string): Promise<string | undefined>;
  readonly sessionId: string;
}

interface Ready {
  readonly mayAllow: boolean;
  run(input: HookInput, signal: AbortSignal): Promise<HookOutcome>;
}

/** Runs the hooks that are for a call, one after another: each sees what the one before made of it. */
export class Hooks {
  readonly #ports: HookPorts;
  readonly #code = new Set<CodeHook>();

  constructor(ports: HookPorts) {
    this.#ports = ports;
  }

  /** Adds a hook of another extension: it can tighten, never allow. Disposing the result takes it away. */
  register(hook: CodeHook): Disposable {
    this.#code.add(hook);
    return toDisposable(() => this.#code.delete(hook));
  }

  /** Whether there is any hook at all. */
  get any(): boolean {
    return this.#code.size > 0 || hasHooks(this.#ports.settings().hooks);
  }

  /**
   * What the hooks say together: the strictest decision, the last arguments or result. A hook that fails denies before a
   * call and leaves a note after it, unless the setting says that failures are ignored.
   */
  async run(
    event: HookEvent,
    toolName: string,
    args: JsonObject,
    response: unknown,
    signal: AbortSignal,
  ): Promise<HookVerdict> {
    let verdict: HookVerdict = {};
    for (const hook of this.#for(event, toolName)) {
      const input: HookInput = {
        hook_event_name: event,
        session_id: this.#ports.sessionId,
        cwd: this.#ports.cwd(),
        tool_name: toolName,
        tool_input: verdict.input ?? args,
        ...(response === undefined ? {} : { tool_response: verdict.output ?? response }),
      };
      const outcome = await hook.run(input, signal);
      verdict = joined(verdict, this.#judged(outcome, event, hook.mayAllow));
      if (verdict.decision === 'deny' && event === 'PreToolUse') break;
    }
    return verdict;
  }

  #judged(outcome: HookOutcome, event: HookEvent, mayAllow: boolean): HookVerdict {
    if (outcome.kind === 'failed') {
      if (this.#ports.settings().hookFailure === 'ignore') return {};
      const text = `a ${event} hook failed: ${outcome.why}`;
      return event === 'PreToolUse' ? { decision: 'deny', reason: text } : { note: `(${text})` };
    }
    const { decision, ...rest } = outcome.verdict;
    return decision === undefined || (decision === 'allow' && !mayAllow) ? rest : { decision, ...rest };
  }

  #for(event: HookEvent, toolName: string): readonly Ready[] {
    const commands = this.#ports
      .settings()
      .hooks[event].filter(({ matcher }) => matcherFits(matcher, toolName))
      .flatMap((group) =>
        group.hooks.map((hook) => ({
          mayAllow: group.source === 'user',
          run: async (input: HookInput, signal: AbortSignal) =>
            (await import('./hookRunner.ts')).runHook(hook, input, signal, {
              source: group.source,
              stateDir: this.#ports.stateDir,
              isTrusted: this.#ports.isTrusted(),
              denialOf: (command) => this.#ports.denialOf(command),
            }),
        })),
      );
    const code = [...this.#code]
      .filter((hook) => hook.event === event && matcherFits(hook.matcher, toolName))
      .map((hook) => ({
        mayAllow: false,
        run: async (input: HookInput, signal: AbortSignal) =>
          (await import('./hookRunner.ts')).runCodeHook(hook, input, signal),
      }));
    return [...commands, ...code];
  }
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
