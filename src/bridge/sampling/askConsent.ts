import * as vscode from 'vscode';
import type { ServerQuestion } from '../../connection/serverQuestionTypes.ts';
import { plainText } from '../text/safeText.ts';
import { firstLines } from '../dialogs/dialogLines.ts';
import { askServerPick } from '../serverQuestions/serverPick.ts';
import type { SamplingAnswer, SamplingConsents } from './samplingConsents.ts';
import { RPC_CODES } from '../../connection/protocol/rpcCodes.ts';
import { SamplingRefusal, type SamplingBlock, type SamplingRequest } from './samplingRequest.ts';
import type { InputTurn, InputTurns } from '../dialogs/inputTurns.ts';
import type { SamplingSettings } from './samplingSettings.ts';

export interface AnswerPorts {
  readonly settings: SamplingSettings;
  readonly fingerprint: string;
  readonly consents: SamplingConsents;
  readonly turns: InputTurns;
  /** Told when the user is asked. */
  readonly asks: () => void;
  /** Told when there is no model to ask. */
  readonly lacksModel: () => void;
  /** See `HourlyBudget.take`. */
  takeBudget(limit: number): number;
}

const { t } = vscode.l10n;
/** How much of what would be sent is shown in the question. */
const SHOWN_LINES = 20;

type Answer = SamplingAnswer | 'once' | 'deny' | 'other';

/**
 * The model that the user lets a server ask: the one that fits best, or another that they choose.
 * @throws SamplingRefusal
 */
export async function agreedModel(
  question: ServerQuestion,
  request: SamplingRequest,
  models: readonly vscode.LanguageModelChat[],
  { consents, fingerprint, turns, asks, lacksModel }: AnswerPorts,
): Promise<vscode.LanguageModelChat> {
  let [model] = models;
  if (!model) lacksModel();
  if (!model) throw new SamplingRefusal(RPC_CODES.internal, 'The editor has no language model.');
  const { id: serverId, name: serverName } = question.server;
  const known = consents.find(serverId, fingerprint, model.id)?.answer;
  if (known === 'never') throw refusal();
  if (known !== undefined) return model;
  asks();
  for (;;) {
    const asked: vscode.LanguageModelChat = model;
    // The answer to the question before may have been for this one, too.
    const answer: Answer | undefined = await turns.run(
      question.signal,
      async (turn) =>
        consents.find(serverId, fingerprint, asked.id)?.answer ?? (await ask(question, turn, request, asked, models)),
    );
    switch (answer) {
      case 'once':
        return asked;
      case 'session':
      case 'always':
      case 'never':
        await consents.set({
          ...{ serverId, fingerprint, modelId: asked.id, serverName, modelName: asked.name },
          answer,
          at: Date.now(),
        });
        if (answer === 'never') throw refusal();
        return asked;
      case 'other':
        model = (await turns.run(question.signal, (turn) => chooseModel(question, turn, models))) ?? asked;
        break;
      case 'deny':
      case undefined:
        throw refusal();
    }
  }
}

function refusal(): SamplingRefusal {
  return new SamplingRefusal(RPC_CODES.userRejected, 'The user denied the request to a language model.');
}

async function ask(
  { server, signal }: ServerQuestion,
  turn: InputTurn,
  request: SamplingRequest,
  model: vscode.LanguageModelChat,
  models: readonly vscode.LanguageModelChat[],
): Promise<Answer | undefined> {
  const name = plainText(model.name);
  const message = t('Send to {0}? Uses your quota.', name);
  const answers: { label: string; description?: string; value: Answer }[] = [
    { label: t('Deny'), value: 'deny' },
    { label: t('Allow Once'), value: 'once' },
    { label: t('Allow in This Session'), description: t('this server, {0}', name), value: 'session' },
    { label: t('Always Allow'), description: t('this server, {0}', name), value: 'always' },
    { label: t('Never Allow'), description: t('this server, {0}', name), value: 'never' },
    ...(models.length > 1 ? [{ label: t('Another Model…'), value: 'other' as const }] : []),
  ];
  const title = t('“{0}” wants to use a language model', plainText(server.name));
  return askServerPick({ signal, params: { message } }, turn, title, answers, [[t('Request'), linesOf(request)]]);
}

function linesOf({ systemPrompt, messages, maxTokens, tools }: SamplingRequest): readonly string[] {
  const texts = [
    ...(tools.length > 0 ? [t('Tools: {0}', tools.map(({ name }) => name).join(', '))] : []),
    ...(maxTokens === undefined ? [] : [t('Answer: at most {0} tokens', maxTokens)]),
    ...(systemPrompt === undefined ? [] : [`system: ${systemPrompt}`]),
    ...messages.map(({ role, blocks }) => `${role}: ${blocks.map(blockText).join(' ')}`),
  ];
  const { lines, left } = firstLines(texts, SHOWN_LINES);
  return left > 0 ? [...lines, t('({0} more characters)', left)] : lines;
}

function blockText(block: SamplingBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `(${block.mimeType})`;
    case 'tool_use':
      return `${block.name}(${JSON.stringify(block.input)})`;
    case 'tool_result':
      return block.texts.join(' ');
  }
}

async function chooseModel(
  { signal }: ServerQuestion,
  turn: InputTurn,
  models: readonly vscode.LanguageModelChat[],
): Promise<vscode.LanguageModelChat | undefined> {
  const items = models.map((model) => ({
    label: plainText(model.name),
    description: plainText(model.vendor),
    value: model,
  }));
  return askServerPick({ signal, params: {} }, turn, t('Another Model'), items);
}
