import * as vscode from 'vscode';
import type { Host } from '../../../host/host.ts';
import { viewNamed } from '../../../host/views/viewNamed.ts';
import { connectedViews } from '../../resources/serverRequests.ts';
import { listAllPrompts, type OfferedPrompt } from '../../resources/listOffered.ts';
import { getPromptMessages, promptPartText, type PromptMessage } from '../../resources/prompts.ts';
import { type Answer, type CommandContext, modelText } from './answer.ts';
import { commandLink, table } from '../markdown.ts';
import { modelTraits } from '../../modelTraits.ts';
import { argumentValues, readTypedPrompt } from './promptArguments.ts';
import { escaped } from '../../text/safeText.ts';

const { t } = vscode.l10n;

/** Asks the user for the arguments of a prompt that are needed and missing; `undefined`: they don't want to. */
export type FillPrompt = (
  prompt: OfferedPrompt,
  known: Readonly<Record<string, string>>,
) => Promise<Readonly<Record<string, string>> | undefined>;

/** A prompt's messages for the model, with a line for the chat. */
export interface FilledPrompt {
  readonly markdown: string;
  readonly messages: readonly vscode.LanguageModelChatMessage[];
}

/** `/prompt NAME [argument=value …]`: the prompt's messages; without a name, or with one that isn't there, an answer. */
export async function promptCommand(
  { host, request, argument, signal }: CommandContext,
  fill: FillPrompt,
): Promise<FilledPrompt | Answer> {
  const typed = readTypedPrompt(argument);
  const { items, failures } = await listAllPrompts(host, signal);
  if (typed.name === '') return listAnswer(items, failures);
  const fitting = items.filter(({ server, name }) => name === typed.name || isOf(host, server, name, typed.name));
  const [prompt] = fitting;
  if (!prompt) {
    const { markdown, followUps } = listAnswer(items, failures);
    const nothing = escaped(t('Prompt “{0}” not found.', typed.name));
    return { markdown: `${nothing}\n\n${markdown}`, ...(followUps ? { followUps } : {}) };
  }
  if (fitting.length > 1) {
    const names = fitting.map(({ server, name }) => `${server}/${name}`);
    const followUps = names.map((name) => ({ prompt: argument.replace(typed.name, name), command: 'prompt' }));
    return { markdown: escaped(t('Several servers have this prompt. Specify one: {0}', names.join(', '))), followUps };
  }
  const filled = await fill(prompt, argumentValues(typed, prompt.arguments ?? []));
  if (!filled) return { markdown: t('The prompt was not run.') };
  const takesImages = modelTraits(request.model).takesImages !== false;
  return fetchPrompt(host, prompt, filled, takesImages, signal);
}

/** Whether `<server>/<prompt>` means this one, by whatever name of its server. */
function isOf(host: Host, server: string, name: string, typed: string): boolean {
  if (!typed.endsWith(`/${name}`)) return false;
  const view = viewNamed(connectedViews(host), typed.slice(0, -name.length - 1), host.catalog);
  return view?.definition.name === server;
}

async function fetchPrompt(
  host: Host,
  { server, name }: OfferedPrompt,
  values: Readonly<Record<string, string>>,
  takesImages: boolean,
  signal: AbortSignal,
): Promise<FilledPrompt> {
  const request = { server, name, surface: 'participant', isUsersAct: true } as const;
  const messages = await getPromptMessages(host, { ...request, arguments: values }, signal);
  const shown = Object.entries(values).map(([key, value]) => `${key}=${value}`);
  const head = escaped(t('Prompt {0} of {1}', name, server));
  return {
    markdown: `> ${[head, ...shown.map((text) => escaped(text))].join(' · ')}\n\n`,
    messages: await Promise.all(messages.map((message) => editorMessage(host, message, takesImages))),
  };
}

async function editorMessage(
  host: Host,
  { role, part }: PromptMessage,
  takesImages: boolean,
): Promise<vscode.LanguageModelChatMessage> {
  const content =
    part.kind === 'data' && (takesImages || !part.mimeType.startsWith('image/'))
      ? [new vscode.LanguageModelDataPart(part.data, part.mimeType)]
      : [new vscode.LanguageModelTextPart(await modelText(host, promptPartText(part)))];
  return role === 'assistant'
    ? vscode.LanguageModelChatMessage.Assistant(content)
    : vscode.LanguageModelChatMessage.User(content);
}

function listAnswer(prompts: readonly OfferedPrompt[], failures: readonly string[]): Answer {
  const failed = failures.map((failure) => `\n\n${escaped(failure)}`).join('');
  if (prompts.length === 0) return { markdown: `${t('No connected server has prompts.')}${failed}` };
  const rows = prompts.map(({ server, name, description = '', arguments: fields = [] }) => [
    name,
    server,
    fields.map((field) => (field.required === true ? `${field.name} *` : field.name)).join(', '),
    description,
  ]);
  const pick = commandLink(t('Run Prompt…'), 'mcpSwitchboard.runPrompt').markdown;
  const head = [t('Prompt'), t('Server'), t('Arguments'), t('What it does')];
  return {
    markdown: `${table(head, rows)}\n\n${t('Enter /prompt NAME argument=value.')} ${pick}${failed}`,
    followUps: prompts.slice(0, 4).map(({ name }) => ({ prompt: name, command: 'prompt' })),
  };
}
