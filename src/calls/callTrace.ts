import { SwitchboardError } from '../base/errors.ts';
import type { JsonObject } from '../base/json/json.ts';
import type { Mask } from '../base/text/secrets.ts';
import { argumentText } from './arguments/argumentText.ts';
import type { CatalogTool } from '../catalog/catalogTool.ts';
import type { HistoryEntry } from './history/callHistory.ts';
import { recordedArguments, recordedText } from './results/masking.ts';
import { roughTokens } from './results/largeResult.ts';
import type { CallSpans } from './tracing/callSpans.ts';
import type { Answer, CallOutcome, CallPhase, Decision, ToolCall } from './callTypes.ts';

const MAX_CONTENT = 4_000;

type MutableEntry = { -readonly [Key in keyof Omit<HistoryEntry, 'id'>]: Omit<HistoryEntry, 'id'>[Key] };

/** How many calls have begun. */
let keys = 0;

/** Collects what the history keeps of one call; until its end, what is seen of it. */
export class CallTrace {
  serverName = '';
  account: string | undefined;
  tool: CatalogTool | undefined;
  /** Identifies the tool as it was when the call began; absent: the call can't be run again. */
  stamp: string | undefined;
  decision: Decision | undefined;
  answer: Answer | undefined;
  queued = false;
  queueMs = 0;
  /** How long the user took to answer. */
  askedMs = 0;
  attempts = 0;
  isCancelledByUser = false;
  /** Another call may have run for this one, too. */
  isShared = false;
  /** It goes on as a task of its server. */
  isTask = false;
  /** Absent: the call isn't traced. */
  spans: CallSpans | undefined;
  /** Called when the phase changes, or what is said of it. */
  onPhase: (() => void) | undefined;
  args: JsonObject;
  /** When it began, in milliseconds since the epoch. */
  readonly at: number;
  readonly #call: ToolCall;
  #phase: CallPhase = 'checking';
  #said: string | undefined;
  readonly #begun = performance.now();
  /** Differs from that of every other call. */
  readonly key = `call-${(keys += 1)}`;

  constructor(call: ToolCall, at: number) {
    this.#call = call;
    this.args = call.args;
    this.at = at;
  }

  /** The callable name; what was called, where that is no tool. */
  get name(): string {
    return this.tool?.name ?? this.#call.name;
  }

  get surface(): ToolCall['surface'] {
    return this.#call.surface;
  }

  get caller(): string | undefined {
    return this.#call.caller;
  }

  /** What its server says of it while it runs as a task, cleaned. */
  get said(): string | undefined {
    return this.#said;
  }

  set said(text: string | undefined) {
    if (text === this.#said) return;
    this.#said = text;
    this.onPhase?.();
  }

  /** What the history calls the script that made the call, or that it is. */
  get script(): string | undefined {
    return this.#call.script?.id;
  }

  get phase(): CallPhase {
    return this.#phase;
  }

  set phase(phase: CallPhase) {
    if (phase === this.#phase) return;
    this.#phase = phase;
    this.spans?.enter(phase);
    this.onPhase?.();
  }

  /** Sets the tool that is called. */
  found(tool: CatalogTool): void {
    this.tool = tool;
    this.serverName = tool.serverName;
  }

  /**
   * The entry for the history, once the call has ended. `mask`: with arguments and result, without the secrets that it knows. Of arguments that
   * can't be written, it has none.
   */
  entry(outcome: CallOutcome | { readonly error: unknown }, mask: Mask | undefined): Omit<HistoryEntry, 'id'> {
    const entry = this.#writable(outcome, mask);
    this.#endSpans(entry);
    return entry;
  }

  #writable(outcome: CallOutcome | { readonly error: unknown }, mask: Mask | undefined): Omit<HistoryEntry, 'id'> {
    try {
      return this.#entry(outcome, this.args, mask);
    } catch {
      this.stamp = undefined;
      return this.#entry(outcome, {}, undefined);
    }
  }

  #endSpans(entry: Omit<HistoryEntry, 'id'>): void {
    this.spans?.end({
      ...entry,
      tool: this.tool,
      decision: this.decision?.action,
      answer: this.answer,
    });
  }

  #entry(
    outcome: CallOutcome | { readonly error: unknown },
    args: JsonObject,
    mask: Mask | undefined,
  ): Omit<HistoryEntry, 'id'> {
    const text = 'error' in outcome ? errorText(outcome.error) : textOf(outcome.parts);
    const entry: MutableEntry = {
      at: this.at,
      surface: this.#call.surface,
      serverName: this.serverName,
      tool: this.name,
      durationMs: performance.now() - this.#begun,
      queueMs: this.queueMs,
      ...(this.askedMs > 0 ? { askedMs: this.askedMs } : {}),
      attempts: this.attempts,
      tokensIn: roughTokens(JSON.stringify(args)),
      tokensOut: roughTokens(text),
      result: 'error' in outcome ? codeOf(outcome.error) : this.queued ? 'queued' : 'ok',
    };
    if (this.#call.caller !== undefined) entry.caller = this.#call.caller;
    if (this.script !== undefined) entry.script = this.script;
    if (this.account !== undefined) entry.account = this.account;
    if (this.decision) entry.decision = this.decision;
    if (this.answer !== undefined) entry.answer = this.answer;
    if (mask) {
      entry.args = argumentText(recordedArguments(args, mask));
      entry.content = recordedText(text.slice(0, MAX_CONTENT * 2), args, mask).slice(0, MAX_CONTENT);
    }
    return entry;
  }
}

/** The error of a call that the user cancelled in the editor, whoever made it. */
export function cancelledByUser({ name, attempts, isShared }: CallTrace): SwitchboardError {
  const state = attempts > 0 || isShared ? 'It may have run in part.' : 'It did not run.';
  return new SwitchboardError('call-cancelled', `The user cancelled ${name}. ${state}`, {
    remedy: "Don't try it again unless the user asks for it.",
  });
}

function textOf(parts: CallOutcome['parts']): string {
  const [only] = parts;
  if (parts.length === 1 && only?.kind === 'text') return only.text;
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n');
}

function errorText(error: unknown): string {
  return error instanceof SwitchboardError ? error.fullMessage : String(error);
}

function codeOf(error: unknown): HistoryEntry['result'] {
  return error instanceof SwitchboardError ? error.code : 'internal';
}
