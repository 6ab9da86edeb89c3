// Loaded with the first request of a server to a model.
import * as vscode from 'vscode';
import { onAbort } from '../../base/async.ts';
import { messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { roughTokens } from '../../calls/results/largeResult.ts';
import type { ServerQuestion } from '../../connection/serverQuestionTypes.ts';
import { usableModels } from '../usableModels.ts';
import { ableModels, rankedModels } from './modelChoice.ts';
import { type AnswerPorts, agreedModel } from './askConsent.ts';
import { chatMessages } from './chatMessages.ts';
import { RPC_CODES } from '../../connection/protocol/rpcCodes.ts';
import { checkedSampling } from './samplingChecks.ts';
import { SamplingRefusal, stopIn, type SamplingRequest } from './samplingRequest.ts';
import { reviewAnswer, reviewRequest } from './samplingReview.ts';

export { lacksModel, sampleInCall } from './sampleInCall.ts';

/**
 * Answers a server's request to a model (specification: sampling): checked, within the budget, agreed to, reviewed where
 * that is set, sent, cut where the server says.
 * @throws SamplingRefusal with the code that the server gets
 */
export async function answerSampling(question: ServerQuestion, ports: AnswerPorts): Promise<JsonObject> {
  const { settings } = ports;
  const { server, params, signal } = question;
  const asked = checkedSampling(params, settings);
  const waitMs = ports.takeBudget(settings.requestsPerHour);
  if (waitMs > 0) {
    const minutes = Math.ceil(waitMs / 60_000);
    throw new SamplingRefusal(
      RPC_CODES.userRejected,
      `The user allows ${settings.requestsPerHour} requests per hour. Try again in ${minutes} minutes.`,
    );
  }
  const models = rankedModels(ableModels(await usableModels(), asked), asked.preferences);
  const model = await agreedModel(question, asked, models, ports);
  const reviews = (what: 'request' | 'answer'): boolean => settings.review === what || settings.review === 'both';
  const request = reviews('request')
    ? await ports.turns.run(signal, (turn) => reviewRequest({ question, turn, model }, asked))
    : asked;
  const answer = await send(model, request, server.name, signal);
  if (!reviews('answer')) return answer.result;
  const text = await ports.turns.run(signal, (turn) => reviewAnswer({ question, turn, model }, answer.text));
  return text === answer.text ? answer.result : { ...answer.result, content: { type: 'text', text } };
}

interface Answer {
  readonly text: string;
  readonly result: JsonObject;
}

async function send(
  model: vscode.LanguageModelChat,
  request: SamplingRequest,
  serverName: string,
  signal: AbortSignal,
): Promise<Answer> {
  const cancellation = new vscode.CancellationTokenSource();
  const aborted = onAbort(signal, () => cancellation.cancel());
  try {
    const response = await model.sendRequest(chatMessages(request), optionsOf(request, serverName), cancellation.token);
    const calls: vscode.LanguageModelToolCallPart[] = [];
    let text = '';
    let stopReason = 'endTurn';
    for await (const part of response.stream) {
      if (part instanceof vscode.LanguageModelToolCallPart) calls.push(part);
      if (!(part instanceof vscode.LanguageModelTextPart)) continue;
      text += part.value;
      const cut = cutOf(text, request);
      if (!cut) continue;
      ({ text, stopReason } = cut);
      break;
    }
    if (signal.aborted) throw new SamplingRefusal(RPC_CODES.userRejected, 'The request was cancelled.');
    if (text === '' && calls.length === 0)
      throw new SamplingRefusal(RPC_CODES.internal, `${model.name} returned an empty answer.`);
    if (calls.length > 0 && stopReason === 'endTurn') stopReason = 'toolUse';
    return { text, result: resultOf(model, text, calls, stopReason) };
  } catch (error) {
    if (error instanceof SamplingRefusal) throw error;
    const refused = error instanceof vscode.LanguageModelError && error.code === 'NoPermissions';
    throw new SamplingRefusal(
      refused ? RPC_CODES.userRejected : RPC_CODES.internal,
      `${model.name} failed: ${messageOf(error)}`,
    );
  } finally {
    // Ends an answer that is cut, too.
    cancellation.cancel();
    aborted.dispose();
    cancellation.dispose();
  }
}

/** What models understand of it is theirs to know, so what counts for sure is also done here. */
function optionsOf(request: SamplingRequest, serverName: string): vscode.LanguageModelChatRequestOptions {
  const { maxTokens, temperature, stopSequences, tools, toolChoice } = request;
  return {
    justification: vscode.l10n.t('“{0}” requests an answer from a language model.', serverName),
    modelOptions: {
      ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(stopSequences.length > 0 ? { stop: [...stopSequences] } : {}),
    },
    ...(tools.length > 0 && toolChoice !== 'none' ? { tools: [...tools] } : {}),
    ...(toolChoice === 'required' ? { toolMode: vscode.LanguageModelChatToolMode.Required } : {}),
  };
}

function cutOf(
  text: string,
  { maxTokens, stopSequences }: SamplingRequest,
): { readonly text: string; readonly stopReason: string } | undefined {
  const stop = stopIn(text, stopSequences);
  if (stop !== undefined) return { text: text.slice(0, stop), stopReason: 'stopSequence' };
  if (maxTokens === undefined) return undefined;
  const tokens = roughTokens(text);
  if (tokens <= maxTokens) return undefined;
  return { text: text.slice(0, Math.floor((text.length * maxTokens) / tokens)), stopReason: 'maxTokens' };
}

function resultOf(
  model: vscode.LanguageModelChat,
  text: string,
  calls: readonly vscode.LanguageModelToolCallPart[],
  stopReason: string,
): JsonObject {
  const blocks: readonly JsonObject[] = [
    ...(text !== '' || calls.length === 0 ? [{ type: 'text', text }] : []),
    ...calls.map(({ callId, name, input }) => ({ type: 'tool_use', id: callId, name, input: input as JsonObject })),
  ];
  const [only] = blocks;
  return { role: 'assistant', content: blocks.length === 1 && only ? only : blocks, model: model.id, stopReason };
}
