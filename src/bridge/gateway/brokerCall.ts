import { SwitchboardError, messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { protocolResult } from '../../calls/results/protocolResult.ts';
import type { Question, Reply } from '../../calls/callTypes.ts';
import type { Host } from '../../host/host.ts';
import type { Choice } from './protocol/elicitation.ts';
import type { InCallContext } from '../callQuestions/inCallAsker.ts';
import type { UpstreamCall } from './upstream.ts';

/** How the broker's question is put in words. */
export interface QuestionWording {
  choiceOf(question: Question): Choice;
  /** `undefined` for any text that is none of ours. */
  answerOf(label: string | undefined, question: Question): Reply | undefined;
}

/** A client's call through the broker, which asks where the client is. Gives a `tools/call` result. */
export async function callThroughBroker(
  host: Host,
  wording: QuestionWording,
  callableName: string,
  args: JsonObject,
  { signal, caller, meta, onProgress, ask, elicit }: UpstreamCall,
): Promise<JsonObject> {
  const context: InCallContext | undefined = ask && {
    askInCall: async (question) => wording.answerOf(await ask(wording.choiceOf(question), question.signal), question),
    ...(elicit ? { elicitInCall: elicit } : {}),
  };
  try {
    const outcome = await host.broker.call({
      name: callableName,
      args,
      surface: 'gateway',
      signal,
      ...(caller === undefined ? {} : { caller }),
      ...(meta ? { meta } : {}),
      ...(onProgress ? { onProgress } : {}),
      ...(context ? { surfaceContext: context } : {}),
    });
    return protocolResult(outcome);
  } catch (error) {
    // A denial is an answer, not a failure of the tool. Everything else is the tool's error, so that the model reads it.
    const isDenial = error instanceof SwitchboardError && error.code === 'denied';
    return { content: [{ type: 'text', text: messageOf(error) }], isError: !isDenial };
  }
}
