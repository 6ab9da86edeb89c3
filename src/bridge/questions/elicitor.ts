import * as vscode from 'vscode';
import { Sequencer } from '../../base/async.ts';
import type { JsonObject } from '../../base/json.ts';
import type { CallsUnderWay } from '../../calls/callsUnderWay.ts';
import type { ServerQuestion } from '../../connection/types.ts';
import { elicitInCall, type NamesServer } from './inCall.ts';

const naming: NamesServer = (server, message) => vscode.l10n.t('The MCP server {0} asks: {1}', server, message);

/** Puts servers' questions to the person, one at a time; what shows them is loaded with the first. */
export class Elicitor {
  readonly #turns = new Sequencer();

  /**
   * Asks where the call that the question is about came from, when that is sure; else in inputs of the editor's own.
   * @returns an elicitation's result as the protocol has it: accepted with content, declined, or cancelled
   */
  elicit(question: ServerQuestion, underWay: CallsUnderWay): Promise<JsonObject> {
    return this.#turns.run(async () => {
      if (question.signal.aborted) return { action: 'cancel' };
      const answer = elicitInCall(question, underWay, naming);
      if (answer) return answer;
      const { askServerQuestion } = await import('./nativeForm.ts');
      return askServerQuestion(question);
    });
  }
}
