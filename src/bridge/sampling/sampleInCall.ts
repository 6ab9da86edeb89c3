import type { JsonObject } from '../../base/json/json.ts';
import type { CallsInProgress } from '../../calls/callsInProgress.ts';
import type { ServerQuestion } from '../../connection/serverQuestionTypes.ts';
import { inCallContextOf } from '../callQuestions/inCallAsker.ts';
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
  { server, params, signal }: ServerQuestion,
  inProgress: Pick<CallsInProgress, 'only'>,
  settings: SamplingSettings,
): Promise<JsonObject> | undefined {
  const call = inProgress.only(server.id);
  const context = call && inCallContextOf(call);
  if (!context?.sampleInCall) return undefined;
  checkedSampling(params, settings);
  return context.sampleInCall(params, signal);
}
