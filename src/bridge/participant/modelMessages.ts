import * as vscode from 'vscode';
import type { Exposure } from '../../catalog/exposure/toolExposure.ts';
import { instructionsFor } from '../../catalog/exposure/instructions.ts';
import { cutAtWord, DESCRIPTION_LIMIT } from '../../catalog/exposure/descriptions.ts';
import { estimateTokens } from '../../catalog/exposure/toolDefinition.ts';
import { unavailableServers } from '../../host/unavailableServers.ts';
import type { Host } from '../../host/host.ts';
import { instructedServers } from '../instructedServers.ts';
import { modelTraits } from '../modelTraits.ts';
import { referenceParts } from './attachments.ts';
import { transcriptOf, type Round } from './turnTranscript.ts';

type Message = vscode.LanguageModelChatMessage;
const user = (content: Parameters<typeof vscode.LanguageModelChatMessage.User>[0]): Message =>
  vscode.LanguageModelChatMessage.User(content);
const assistant = (content: Parameters<typeof vscode.LanguageModelChatMessage.Assistant>[0]): Message =>
  vscode.LanguageModelChatMessage.Assistant(content);

/** The parts of a model's context that what servers say of themselves, and earlier turns, may take. */
const INSTRUCTIONS_SHARE = 0.05;
const HISTORY_SHARE = 0.5;
const CHARACTERS_PER_TOKEN = 4;

/** What is sent with the first step: the servers, as much of the conversation as fits, attachments and the message. */
export async function firstMessages(
  host: Host,
  request: Pick<vscode.ChatRequest, 'prompt' | 'model' | 'references'>,
  { history }: vscode.ChatContext,
  exposure: Exposure,
  extra: readonly Message[] = [],
): Promise<Message[]> {
  const { model, prompt } = request;
  const attached = await referenceParts(request);
  const takesImages = modelTraits(model).takesImages !== false;
  const fitting = attached.filter((part) => takesImages || part instanceof vscode.LanguageModelTextPart);
  const note =
    fitting.length < attached.length ? [new vscode.LanguageModelTextPart('(an image that this model can’t take)')] : [];
  const attachments = [...fitting, ...note];
  return [
    user(serversText(host, exposure, model.maxInputTokens)),
    ...earlier(history, model.maxInputTokens * HISTORY_SHARE),
    // A prompt of a server has the last word.
    ...(prompt === '' && attachments.length > 0 ? [user(attachments)] : []),
    ...extra,
    ...(prompt === '' ? [] : [user([...attachments, new vscode.LanguageModelTextPart(prompt)])]),
  ];
}

/** The line of each server, and what each says of itself, cut. */
function serversText(host: Host, exposure: Exposure, contextTokens: number): string {
  const servers = instructedServers(host);
  const talking = servers.filter(({ instructions }) => instructions?.trim());
  const room = (contextTokens * INSTRUCTIONS_SHARE * CHARACTERS_PER_TOKEN) / Math.max(1, talking.length);
  const own = talking.map(
    ({ serverName, instructions = '' }) =>
      `What the server ${serverName} says of itself:\n${cutAtWord(instructions.trim(), Math.min(DESCRIPTION_LIMIT, Math.floor(room)))}`,
  );
  return [instructionsFor(servers, exposure, unavailableServers(host)), ...own].join('\n\n');
}

/** The latest turns that fit into `tokens`, whole ones. */
function earlier(history: vscode.ChatContext['history'], tokens: number): Message[] {
  const kept: Message[][] = [];
  let room = tokens;
  for (const turn of history.toReversed()) {
    const messages = turn instanceof vscode.ChatRequestTurn ? [user(requestText(turn))] : answerMessages(turn);
    room -= messages.reduce((sum, message) => sum + estimateTokens(JSON.stringify(message.content)), 0);
    if (room < 0) break;
    kept.push(messages);
  }
  return kept.reverse().flat();
}

function requestText({ command, prompt, references }: vscode.ChatRequestTurn): string {
  const attached = references.map(({ id }) => `(attached then: ${id})`);
  return [command === undefined ? prompt : `/${command} ${prompt}`, ...attached].join('\n');
}

/** A turn as the model lived it; where that isn't kept, what the chat shows of it. */
function answerMessages({ response, result }: vscode.ChatResponseTurn): Message[] {
  const transcript = transcriptOf(result.metadata);
  if (transcript) return [...transcript.rounds.flatMap(roundMessages), assistant(transcript.text || '(stopped)')];
  const texts = response.map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ''));
  return [assistant(texts.join('') || '(nothing)')];
}

/** One step as messages: what the model said and called, then the results. */
export function roundMessages({ text, calls, results }: Round): Message[] {
  return [
    assistant([
      ...(text === '' ? [] : [new vscode.LanguageModelTextPart(text)]),
      ...calls.map(({ id, name, input }) => new vscode.LanguageModelToolCallPart(id, name, input)),
    ]),
    user(
      results.map(
        ({ id, text: result }) =>
          new vscode.LanguageModelToolResultPart(id, [new vscode.LanguageModelTextPart(result)]),
      ),
    ),
  ];
}
