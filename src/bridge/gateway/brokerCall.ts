import { SwitchboardError, messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { protocolResult } from '../../calls/results/protocolResult.ts';
import type { CallOutcome, Question, Reply, ToolCall } from '../../calls/callTypes.ts';
import { SCRIPT_TOOL } from '../../calls/script/scriptTool.ts';
import type { ScriptCaller } from '../../calls/script/scriptRun.ts';
import type { Host } from '../../host/host.ts';
import type { Choice } from './protocol/elicitation.ts';
import type { InCallContext } from '../callQuestions/inCallAsker.ts';
import type { UpstreamCall } from './upstream.ts';

/** How the broker's question is put in words. */
export interface QuestionWording {
  choiceOf(question: Question): Choice;
  /** `undefined` for any text that is none of ours; `show`: the arguments are to be shown whole before an answer. */
  answerOf(label: string | undefined, question: Question): Reply | 'show' | undefined;
  show?(question: Question): Promise<void>;
}

/** What calls of an endpoint's clients are made with. */
export interface ClientCalls {
  readonly host: Host;
  readonly wording: QuestionWording;
  /** Its clients are agents outside the editor; absent: it is the editor's own. */
  readonly outside?: OutsideClients;
}

export interface OutsideClients {
  /** Whether they are asked about their own calls, where they show forms; else the editor asks. */
  asksClients(): boolean;
}

/**
 * A client's call through the broker. The editor's own agent is asked in the call; an agent outside isn't, since it could
 * answer for the user. A script is one as well. Gives a `tools/call` result.
 */
export async function callThroughBroker(
  calls: ClientCalls,
  callableName: string,
  args: JsonObject,
  options: UpstreamCall,
): Promise<JsonObject> {
  return (await callOfClient(calls, callableName, args, options, false)).result;
}

/** The same. @param asTask where the call becomes a task, its handle is given at once */
export function callOfClient(
  calls: ClientCalls,
  callableName: string,
  args: JsonObject,
  options: UpstreamCall,
  asTask: boolean,
): Promise<ClientResult> {
  const { meta, onProgress } = options;
  const more = { ...(meta ? { meta } : {}), ...(asTask ? { asTask } : {}), ...(onProgress ? { onProgress } : {}) };
  const caller = callerOf(calls, options);
  const { broker } = calls.host;
  const { script } = args;
  if (callableName === SCRIPT_TOOL)
    return resultOf(() => broker.runScript(typeof script === 'string' ? script : '', caller));
  return resultOf(() => broker.call({ name: callableName, args, ...caller, ...more }));
}

interface ClientResult {
  readonly result: JsonObject;
  readonly task?: string;
}

async function resultOf(call: () => Promise<CallOutcome>): Promise<ClientResult> {
  try {
    const outcome = await call();
    const { task } = outcome;
    return { result: protocolResult(outcome), ...(task === undefined ? {} : { task }) };
  } catch (error) {
    // A denial is an answer, not a failure of the tool. Everything else is the tool's error, so that the model reads it.
    const isDenial = error instanceof SwitchboardError && error.code === 'denied';
    return { result: { content: [{ type: 'text', text: messageOf(error) }], isError: !isDenial } };
  }
}

/** Who calls, and how they are asked. */
function callerOf(
  { wording, outside }: ClientCalls,
  { signal, caller, ask, elicit, sample }: UpstreamCall,
): ScriptCaller {
  const context: InCallContext | undefined =
    ask && outside?.asksClients() !== false
      ? {
          askInCall: async (question) => {
            const asked = async (): Promise<Reply | 'show' | undefined> =>
              wording.answerOf(await ask(wording.choiceOf(question), question.signal), question);
            const first = await asked();
            if (first !== 'show') return first;
            await wording.show?.(question);
            const second = await asked();
            return second === 'show' ? undefined : second;
          },
          ...(elicit ? { elicitInCall: elicit } : {}),
          ...(sample ? { sampleInCall: sample } : {}),
        }
      : undefined;
  return {
    signal,
    ...originOf(outside, caller),
    ...(outside && context ? { isAnsweredByCaller: true } : {}),
    ...(context ? { surfaceContext: context } : {}),
  };
}

/** Where a client's request comes from; the editor's own agent has no name. */
export function originOf(
  outside: OutsideClients | undefined,
  caller: string | undefined,
): Pick<ToolCall, 'surface' | 'caller'> {
  if (!outside) return { surface: 'gateway' };
  return { surface: 'outside', ...(caller === undefined ? {} : { caller }) };
}
