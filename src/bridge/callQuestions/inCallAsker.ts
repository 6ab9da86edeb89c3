import { isRecord, type JsonObject } from '../../base/json/json.ts';
import type { Asker, Question, Reply, Surface } from '../../calls/callTypes.ts';

/** The context of a call whose surface asks by itself. */
export interface InCallContext {
  askInCall(question: Question): Promise<Reply | undefined>;
  /** A server's own question (`elicitation/create`) during the call; the result as the protocol has it. */
  elicitInCall?(params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /** A server's request to a model (`sampling/createMessage`) during the call; the result as the protocol has it. */
  sampleInCall?(params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
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
    return inCallContextOf(question)?.askInCall(question) ?? this.#otherwise.ask(question);
  }
}

/**
 * The context of a call that came through a gateway, which makes it where its client is to be asked. On any other surface it
 * may be of another party's making, who would answer the question about their own call, so its shape says nothing.
 */
export function inCallContextOf({
  surface,
  surfaceContext,
}: Pick<Question, 'surface' | 'surfaceContext'>): InCallContext | undefined {
  if (!isGateway(surface) || !isRecord(surfaceContext)) return undefined;
  return typeof surfaceContext['askInCall'] === 'function' ? (surfaceContext as unknown as InCallContext) : undefined;
}

/** What a card in the chat is shown with; `undefined` where the call didn't come from a chat of the editor. */
export function chatTokenOf({ surface, surfaceContext }: Pick<Question, 'surface' | 'surfaceContext'>): unknown {
  return isGateway(surface) ? undefined : surfaceContext;
}

function isGateway(surface: Surface): boolean {
  return surface === 'gateway' || surface === 'outside';
}
