import type { JsonObject } from '../../base/json/json.ts';
import type { CallsInProgress } from '../../calls/scheduling/callsInProgress.ts';
import type { ServerQuestion } from '../../connection/serverQuestionTypes.ts';
import { askedWithin, inCallContextOf } from '../callQuestions/inCallAsker.ts';
import { checkedSampling } from './samplingChecks.ts';
import type { SamplingSettings } from './samplingSettings.ts';

/**
 * A server's request to a model goes to the client that the only call on the server came from, where that client is asked
 * about its calls and has a model for servers: it reviews the request and pays for the answer. What the user doesn't let servers ask
 * for, it isn't asked for either.
 * @throws SamplingRefusal with the code that the server gets
 * @returns the result as the protocol has it; `undefined`: no client answers it
 */
export function sampleInCall(
  question: ServerQuestion,
  inProgress: Pick<CallsInProgress, 'only'>,
  settings: SamplingSettings,
): Promise<JsonObject> | undefined {
  const call = inProgress.only(question.server.id);
  if (!call || !inCallContextOf(call)?.sampleInCall) return undefined;
  checkedSampling(question.params, settings);
  return askedWithin('sampleInCall', question, inProgress);
}

/** Tells the client of the call that a request to a model is about that it would have to answer: nobody else has a model. */
export function lacksModel({ server }: ServerQuestion, inProgress: Pick<CallsInProgress, 'only'>): void {
  const call = inProgress.only(server.id);
  if (call) inCallContextOf(call)?.lacksInCall?.({ sampling: {} });
}
