// Loaded with the first script.
import { deferred } from '../../base/async.ts';
import { messageOf, SwitchboardError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json/json.ts';
import type { CallingScript, CallOutcome, ToolCall } from '../callTypes.ts';
import { scriptValue } from './scriptValue.ts';
import { ScriptProcess } from './scriptProcess.ts';
import { ScriptQuestions, type ScriptQuestionPorts } from './scriptQuestions.ts';
import { batchError, endError } from './scriptErrors.ts';
import { SCRIPT_LIMITS, type ScriptAnswer, type ScriptCall, type ScriptRound, type ScriptState } from './scriptTypes.ts'; // prettier-ignore

export interface ScriptRunPorts extends ScriptQuestionPorts {
  /** Callable names of the tools there are. */
  names(): readonly string[];
  /** Makes one call, as any other. */
  call(call: ToolCall): Promise<CallOutcome>;
}

/** What all calls of a script have in common: who calls, and from where. */
export type ScriptCaller = Omit<ToolCall, 'name' | 'args' | 'onProgress' | 'meta' | 'script'>;

/** What came of a script. */
export interface ScriptResult {
  /** As JSON; absent: it returned nothing. */
  readonly result?: string;
  readonly calls: number;
  readonly failed: number;
}

/**
 * Runs one script. Its calls are made as they come. Those that the policy asks about wait until the script can't go on without
 * them, and then the user is asked once about all that wait; nothing of the script runs meanwhile. Afterwards it is repeated
 * with the answers that it had, to where it stopped, and goes on.
 */
export class ScriptRun {
  readonly #ports: ScriptRunPorts;
  readonly #source: string;
  readonly #caller: ScriptCaller;
  readonly #script: Pick<CallingScript, 'id' | 'span'>;
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal;
  readonly #questions: ScriptQuestions;
  readonly #names: readonly string[];
  readonly #at: number;
  readonly #calls: ScriptCall[] = [];
  readonly #rounds: ScriptRound[] = [];
  /** Calls that haven't ended. */
  #open = 0;
  #ready: ScriptAnswer[] = [];
  #answered = 0;
  #failed = 0;
  #asked = 0;
  #changed = deferred<void>();
  #process: ScriptProcess | undefined;

  /** @param script as what its calls belong to, in the history and in traces */
  constructor(ports: ScriptRunPorts, source: string, caller: ScriptCaller, script: Pick<CallingScript, 'id' | 'span'>) {
    this.#ports = ports;
    this.#source = source;
    this.#caller = caller;
    this.#script = script;
    this.#signal = AbortSignal.any([caller.signal, this.#ending.signal]);
    this.#questions = new ScriptQuestions(ports, () => this.#changed.resolve());
    this.#names = ports.names();
    this.#at = ports.clock.now();
  }

  /** @throws SwitchboardError whose text is meant for the model */
  async run(): Promise<ScriptResult> {
    if (this.#source.length > SCRIPT_LIMITS.source)
      throw new SwitchboardError('invalid-arguments', `A script has at most ${SCRIPT_LIMITS.source} characters.`);
    const aborted = (): void => {
      // The interpreter may be in the midst of a long step.
      this.#process?.end();
      this.#changed.resolve();
    };
    this.#signal.addEventListener('abort', aborted);
    try {
      return await this.#run();
    } finally {
      this.#signal.removeEventListener('abort', aborted);
      // What still waits or runs is nobody's any more.
      this.#ending.abort();
      this.#process?.end();
    }
  }

  async #run(): Promise<ScriptResult> {
    for (let state = await this.#step(); ; state = await this.#step()) {
      // What a cancelled script asked for is not called any more.
      this.#throwIfCancelled();
      const { calls, end } = state;
      if (end && end.kind !== 'returned') throw endError(end, this.#counts);
      for (const call of calls) {
        this.#calls.push(call);
        this.#open += 1;
        void this.#make(call);
      }
      if (end && this.#open === 0 && this.#ready.length === 0) return { ...end, ...this.#counts };
      await this.#untilReady();
    }
  }

  #throwIfCancelled(): void {
    if (this.#signal.aborted) throw new SwitchboardError('call-cancelled', 'The script was cancelled.');
  }

  get #counts(): { readonly calls: number; readonly failed: number } {
    return { calls: this.#answered, failed: this.#failed };
  }

  /** Waits for answers; asks the user where nothing else can bring any. */
  async #untilReady(): Promise<void> {
    for (;;) {
      this.#throwIfCancelled();
      if (this.#ready.length > 0) return;
      if (this.#open === 0) {
        const text = 'The script waits for something that never happens: no call of a tool is open.';
        throw new SwitchboardError('tool-error', text, { remedy: 'Await only what tools return.' });
      }
      if (this.#questions.count === this.#open) await this.#askUser();
      else await this.#changed.promise;
      this.#changed = deferred<void>();
    }
  }

  async #askUser(): Promise<void> {
    if ((this.#asked += 1) > SCRIPT_LIMITS.questions) throw batchError('tooOften', this.#counts);
    // The user may take minutes: nothing of the script lives meanwhile.
    this.#process?.end();
    this.#process = undefined;
    const answer = await this.#questions.settle();
    if (answer !== 'allowed') throw batchError(answer, this.#counts);
  }

  /** Lets the script go on as far as it can. */
  async #step(): Promise<ScriptState> {
    const round = this.#ready;
    this.#ready = [];
    try {
      if (this.#process) return await this.#record(round, this.#process.goOn(round));
      this.#process = await ScriptProcess.start(this.#signal);
      const begun = this.#process.begin({
        source: this.#source,
        names: this.#names,
        at: this.#at,
        rounds: round.length > 0 ? [...this.#rounds, round] : this.#rounds,
        calls: this.#calls,
        limits: SCRIPT_LIMITS,
      });
      return await this.#record(round, begun);
    } catch (error) {
      this.#throwIfCancelled();
      const remedy = 'Do less in one script.';
      throw new SwitchboardError('tool-error', 'The script took too much time or memory, and was ended.', { remedy, cause: error }); // prettier-ignore
    }
  }

  #record(round: ScriptRound, state: Promise<ScriptState>): Promise<ScriptState> {
    if (round.length > 0) this.#rounds.push(round);
    return state;
  }

  async #make({ id, name, args }: ScriptCall): Promise<void> {
    const answer = await this.#answerTo(name, args);
    if (answer.isError) this.#failed += 1;
    this.#answered += 1;
    this.#open -= 1;
    this.#ready.push({ id, ...answer });
    this.#changed.resolve();
  }

  async #answerTo(name: string, args: string): Promise<Omit<ScriptAnswer, 'id'>> {
    try {
      const { parts } = await this.#ports.call({
        ...this.#caller,
        name,
        args: JSON.parse(args) as JsonObject,
        signal: this.#signal,
        script: { ...this.#script, asker: this.#questions },
      });
      const text = scriptValue(parts);
      this.#room -= text.length;
      if (this.#room < 0) return { isError: true, text: 'The results of this script’s calls are too large in all.' };
      return { isError: false, text };
    } catch (error) {
      return { isError: true, text: messageOf(error) };
    }
  }

  #room: number = SCRIPT_LIMITS.answers;
}
