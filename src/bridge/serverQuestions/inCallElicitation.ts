import { isRecord, type JsonObject } from '../../base/json/json.ts';
import type { CallsInProgress } from '../../calls/scheduling/callsInProgress.ts';
import type { ServerQuestion } from '../../connection/serverQuestionTypes.ts';
import { askedWithin } from '../callQuestions/inCallAsker.ts';

/** A question's text with its server in it. */
export type NamesServer = (serverName: string, message: string) => string;

/**
 * A server's question goes to where the only call that it works on came from, when forms can be shown there.
 * @returns the result as the protocol has it; `undefined`: nobody can be asked that way
 */
export function elicitInCall(
  question: ServerQuestion,
  inProgress: CallsInProgress,
  naming: NamesServer,
): Promise<JsonObject> | undefined {
  const { server, params } = question;
  if (!isForm(params)) return undefined;
  const message = naming(server.name, typeof params['message'] === 'string' ? params['message'] : '');
  // A surface that fails has not answered.
  const asked = { ...question, params: { ...params, message } };
  return askedWithin('elicitInCall', asked, inProgress)?.catch(() => ({ action: 'cancel' }));
}

/** An address to open is shown by ourselves, in full. */
function isForm(params: JsonObject): boolean {
  return params['mode'] !== 'url' && isRecord(params['requestedSchema']);
}
