import { deferred, type Deferred } from '../../base/async.ts';
import type { JsonObject } from '../../base/json/json.ts';
import type { CallsInProgress } from '../../calls/scheduling/callsInProgress.ts';
import type { AskingServer, ServerQuestion } from '../../connection/serverQuestionTypes.ts';
import { chatTokenOf } from '../callQuestions/inCallAsker.ts';
import type { InputTurns } from '../dialogs/inputTurns.ts';

/** Puts servers' questions to the user; what shows them is loaded with the first. */
export class Elicitor {
  readonly #turns: () => Promise<InputTurns>;
  /** What the user began at an address. */
  readonly #begun = new Map<string, Deferred<void>>();

  /** @param turns shared by all that asks in an input */
  constructor(turns: () => Promise<InputTurns>) {
    this.#turns = turns;
  }

  /**
   * Asks where the call that the question is about came from, when that is sure, and fills in there what can be; the rest in
   * inputs of the editor's own.
   * @returns an elicitation's result as the protocol has it: accepted with content, declined, or cancelled
   */
  async elicit(question: ServerQuestion, inProgress: CallsInProgress): Promise<JsonObject> {
    if (question.signal.aborted) return { action: 'cancel' };
    const { askInCall, askServerQuestion, showWaiting } = await import('./nativeForm.ts');
    const answer = askInCall(question, inProgress);
    if (answer) return answer;
    const { mode, elicitationId } = question.params;
    const call = inProgress.only(question.server.id);
    if (mode === 'url') call?.onAskedElsewhere?.();
    const place = { turns: await this.#turns(), chatToken: call && chatTokenOf(call) };
    const result = await askServerQuestion(question, place);
    if (mode === 'url' && typeof elicitationId === 'string' && result['action'] === 'accept') {
      const done = this.#begin(question.server, elicitationId);
      void showWaiting(question, done).finally(() => this.elicited(question.server, elicitationId));
    }
    return result;
  }

  /** A server says that what was begun at an address has come to its end. */
  elicited(server: AskingServer, elicitationId: string): void {
    const key = keyOf(server, elicitationId);
    this.#begun.get(key)?.resolve();
    this.#begun.delete(key);
  }

  #begin(server: AskingServer, elicitationId: string): Promise<void> {
    const done = deferred<void>();
    this.#begun.set(keyOf(server, elicitationId), done);
    return done.promise;
  }
}

function keyOf({ id }: AskingServer, elicitationId: string): string {
  return `${id}\n${elicitationId}`;
}
