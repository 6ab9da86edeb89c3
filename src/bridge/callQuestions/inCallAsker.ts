import { isRecord, type JsonObject } from '../../base/json/json.ts';
import type { CallsInProgress } from '../../calls/scheduling/callsInProgress.ts';
import type { ServerQuestion } from '../../connection/serverQuestionTypes.ts';
import type { Asker, Question, Reply, Surface } from '../../calls/callTypes.ts';

/** The context of a call whose surface asks by itself: what it can. `key` is what the server calls a question. */
export interface InCallContext {
  askInCall?(question: Question): Promise<Reply | undefined>;
  /** A server's own question (`elicitation/create`) during the call; the result as the protocol has it. */
  elicitInCall?(params: JsonObject, signal: AbortSignal, key?: string): Promise<JsonObject>;
  /** A server's request to a model (`sampling/createMessage`) during the call; the result as the protocol has it. */
  sampleInCall?(params: JsonObject, signal: AbortSignal, key?: string): Promise<JsonObject>;
  /** A server's request for roots (`roots/list`) during the call; the result as the protocol has it. */
  rootsInCall?(params: JsonObject, signal: AbortSignal, key?: string): Promise<JsonObject>;
  /** The client may never come back with an answer: meanwhile, others have their turns on the server. */
  readonly mayStayAway?: boolean;
  /** Nobody else can do what these capabilities of the caller are for. */
  lacksInCall?(capabilities: JsonObject): void;
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
    return inCallContextOf(question)?.askInCall?.(question) ?? this.#otherwise.ask(question);
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
  return isGateway(surface) && isRecord(surfaceContext) ? surfaceContext : undefined;
}

/**
 * Asks the client of the call that a server's question is about.
 * @returns the result as the protocol has it; `undefined`: it can't be asked that
 */
export function askedWithin(
  what: 'elicitInCall' | 'sampleInCall' | 'rootsInCall',
  { server, params, signal, key }: ServerQuestion,
  inProgress: Pick<CallsInProgress, 'only'>,
): Promise<JsonObject> | undefined {
  const call = inProgress.only(server.id);
  const context = call && inCallContextOf(call);
  const ask = context?.[what];
  if (!ask) return undefined;
  const asked = (): Promise<JsonObject> => ask(params, signal, key);
  return context.mayStayAway && call?.paused ? call.paused(asked) : asked();
}

/** What a card in the chat is shown with; `undefined` where the call didn't come from a chat of the editor. */
export function chatTokenOf({ surface, surfaceContext }: Pick<Question, 'surface' | 'surfaceContext'>): unknown {
  return isGateway(surface) ? undefined : surfaceContext;
}

function isGateway(surface: Surface): boolean {
  return surface === 'gateway' || surface === 'outside';
}
