import type { Disposable } from '../../base/disposable.ts';
import { SwitchboardError } from '../../base/errors.ts';
import type { BrokerPorts, BrokerState } from '../brokerTypes.ts';
import { cancelledByUser, CallTrace } from '../callTrace.ts';
import type { CallOutcome } from '../callTypes.ts';
import { QUESTION_LIMIT_MS } from '../policy/askUser.ts';
import { cleanText, forModel } from '../results/cleanText.ts';
import type { ResultPart } from '../results/resultParts.ts';
import { SCRIPT_TOOL } from './scriptTool.ts';
import type { ScriptCaller, ScriptResult, ScriptRunPorts } from './scriptRun.ts';

interface RecordedScriptPorts
  extends
    Pick<BrokerPorts, 'names' | 'clock' | 'settings' | 'asker' | 'tracer'>,
    Pick<ScriptRunPorts, 'call' | 'stampOf'> {
  limited(parts: readonly ResultPart[]): Promise<readonly ResultPart[]>;
}

/** How many scripts have begun. */
let begun = 0;

/**
 * Runs a script, as a call in progress that the user can cancel, and writes it down.
 * @throws SwitchboardError whose text is meant for the model
 */
export async function runRecordedScript(
  ports: RecordedScriptPorts,
  state: BrokerState,
  source: string,
  caller: ScriptCaller,
): Promise<CallOutcome> {
  const id = `script-${(begun += 1)}`;
  const known = { ...caller, name: SCRIPT_TOOL, args: { script: source }, script: { id, asker: ports.asker } };
  const trace = new CallTrace(known, ports.clock.now());
  const tracer = ports.tracer?.();
  if (tracer) trace.spans = (await tracer)?.begin(caller);
  return state.inProgress.whole(trace, caller.signal, async (signal) => {
    let outcome: CallOutcome | { readonly error: unknown } = { parts: [] };
    const switched = new AbortController();
    let listening: Disposable | undefined;
    try {
      const scripts = await state.scripts();
      if (!scripts.on) throw offError('It did not run.');
      listening = scripts.onDidChange(() => scripts.on || switched.abort());
      trace.phase = 'running';
      const { ScriptRun } = await import('./scriptRun.ts');
      const both = AbortSignal.any([signal, switched.signal]);
      const run = new ScriptRun(
        runPorts(ports),
        source,
        { ...caller, signal: both },
        { id, span: trace.spans?.context },
      );
      outcome = { parts: await ports.limited(resultOf(await run.run())) };
      return outcome;
    } catch (thrown) {
      const error = switched.signal.aborted ? offError('It was ended.') : thrown;
      outcome = { error: trace.isCancelledByUser ? cancelledByUser(trace) : error };
      throw forModel(outcome.error);
    } finally {
      listening?.dispose();
      state.history.add(trace.entry(outcome, ports.settings().historyContent ? state.mask : undefined));
    }
  });
}

function runPorts(ports: RecordedScriptPorts): ScriptRunPorts {
  return {
    asker: ports.asker,
    call: (call) => ports.call(call),
    stampOf: (name) => ports.stampOf(name),
    names: () => (ports.names?.tools() ?? []).map(({ name }) => name),
    clock: ports.clock,
    limitMs: QUESTION_LIMIT_MS,
  };
}

function offError(state: string): SwitchboardError {
  return new SwitchboardError('denied', `Scripts are off in this workspace. ${state}`, {
    remedy: 'Call tools one by one. Only the user can turn scripts on, with the command Turn Scripts On or Off.',
  });
}

/** What the model gets: the result, a text as it is, and how many calls there were. */
function resultOf({ result, calls, failed }: ScriptResult): readonly ResultPart[] {
  const value: unknown = result === undefined ? undefined : JSON.parse(result);
  const said = typeof value === 'string' ? value : (result ?? 'The script returned nothing.');
  const { text, note } = cleanText(said);
  const count = `(${calls === 1 ? '1 call' : `${calls} calls`}${failed > 0 ? `, ${failed} failed` : ''})`;
  return [{ kind: 'text', text: [text, ...(note === undefined ? [] : [note]), count].join('\n') }];
}
