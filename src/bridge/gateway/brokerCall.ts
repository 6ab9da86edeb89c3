import { SwitchboardError, messageOf } from '../../base/errors.ts';
import { isRecord, type JsonObject } from '../../base/json/json.ts';
import { protocolResult } from '../../calls/results/protocolResult.ts';
import type { CallOutcome, Question, Reply, ToolCall } from '../../calls/callTypes.ts';
import { SCRIPT_TOOL } from '../../calls/script/scriptTool.ts';
import type { ScriptCaller } from '../../calls/script/scriptRun.ts';
import type { Host } from '../../host/host.ts';
import { RPC_CODES } from '../../connection/protocol/rpcCodes.ts';
import type { Choice } from './protocol/elicitation.ts';
import { toRpcError } from './protocol/jsonRpc.ts';
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
    return resultOf(() => broker.runScript(typeof script === 'string' ? script : '', caller), options);
  return resultOf(() => broker.call({ name: callableName, args, ...caller, ...more }), options);
}

interface ClientResult {
  readonly result: JsonObject;
  readonly task?: string;
}

async function resultOf(call: () => Promise<CallOutcome>, { lacks }: UpstreamCall): Promise<ClientResult> {
  try {
    const outcome = await call();
    const { task } = outcome;
    return { result: protocolResult(outcome), ...(task === undefined ? {} : { task }) };
  } catch (error) {
    const { code, data } = toRpcError(error);
    // What the server isn't told of: the editor hasn't it, and then only the client could.
    const needed = code === RPC_CODES.missingCapability && isRecord(data) ? data['requiredCapabilities'] : undefined;
    if (isRecord(needed)) lacks?.(needed as JsonObject);
    // A denial is an answer, not a failure of the tool. Everything else is the tool's error, so that the model reads it.
    const isDenial = error instanceof SwitchboardError && error.code === 'denied';
    return { result: { content: [{ type: 'text', text: messageOf(error) }], isError: !isDenial } };
  }
}

/** Who calls or requests, and how they are asked. */
export function callerOf(calls: ClientCalls, { signal, caller, ...questions }: UpstreamCall): ScriptCaller {
  const { outside } = calls;
  const context = outside?.asksClients() === false ? {} : contextOf(calls, questions);
  return {
    signal,
    ...originOf(outside, caller),
    ...(outside && context.askInCall ? { isAnsweredByCaller: true } : {}),
    ...(Object.keys(context).length > 0 ? { surfaceContext: context } : {}),
  };
}

/** What the client of a request can be asked within it. */
function contextOf(
  { wording }: ClientCalls,
  { ask, elicit, sample, roots, lacks, mayStayAway }: Omit<UpstreamCall, 'signal'>,
): InCallContext {
  const askInCall: InCallContext['askInCall'] =
    ask &&
    (async (question) => {
      const asked = async (): Promise<Reply | 'show' | undefined> =>
        wording.answerOf(await ask(wording.choiceOf(question), question.signal), question);
      const first = await asked();
      if (first !== 'show') return first;
      await wording.show?.(question);
      const second = await asked();
      return second === 'show' ? undefined : second;
    });
  return {
    ...(askInCall ? { askInCall } : {}),
    ...(elicit ? { elicitInCall: elicit } : {}),
    ...(sample ? { sampleInCall: sample } : {}),
    ...(roots ? { rootsInCall: roots } : {}),
    ...(lacks ? { lacksInCall: lacks } : {}),
    ...(mayStayAway ? { mayStayAway } : {}),
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
