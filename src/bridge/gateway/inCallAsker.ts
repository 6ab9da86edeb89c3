import { isRecord, type JsonObject } from '../../base/json.ts';
import type { Asker, Question, Reply } from '../../calls/types.ts';

/** The context of a call whose surface asks by itself. A plain shape, since bundles share no classes. */
export interface InCallContext {
  askInCall(question: Question): Promise<Reply | undefined>;
  /** A server's own question (`elicitation/create`) during the call; the result as the protocol has it. */
  elicitInCall?(params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
}

/**
 * Asks where the call came from when its surface can, by `otherwise` when it can't. One question either way: a surface
 * that was asked and got no answer of ours has denied.
 */
export class InCallAsker implements Asker {
  readonly #otherwise: Asker;

  constructor(otherwise: Asker) {
    this.#otherwise = otherwise;
  }

  ask(question: Question): Promise<Reply | undefined> {
    const { surfaceContext } = question;
    return isInCallContext(surfaceContext) ? surfaceContext.askInCall(question) : this.#otherwise.ask(question);
  }
}

/** Whether a call's context is of a surface that asks by itself. */
export function isInCallContext(value: unknown): value is InCallContext {
  return isRecord(value) && typeof value['askInCall'] === 'function';
}
