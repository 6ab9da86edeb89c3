// Loaded on first use.
import * as vscode from 'vscode';
import { plainText } from '../../bridge/text/safeText.ts';
import { canComplete, completeArgument } from '../../bridge/resources/completion.ts';
import { documentUri } from '../../bridge/resources/documentUri.ts';
import { listAllPrompts, type OfferedPrompt } from '../../bridge/resources/listOffered.ts';
import { getPromptMessages, promptText, type PromptMessage } from '../../bridge/resources/prompts.ts';
import type { Host } from '../../host/host.ts';
import { askArguments } from './argumentSteps.ts';
import { pickItem, type ItemPick } from './itemPick.ts';

const { t } = vscode.l10n;

/**
 * *Run Prompt…*: the user picks a prompt and its arguments, and its text goes into the chat input.
 * @param server only the prompts of this server
 * @param picked the user has picked this one already
 */
export async function runPrompt(host: Host, server?: string, picked?: OfferedPrompt): Promise<void> {
  for (let first = picked; ; first = undefined) {
    const prompt =
      first ??
      (await pickItem<OfferedPrompt>({
        title: server === undefined ? t('Run Prompt') : t('Run Prompt of {0}', plainText(server)),
        placeHolder: t('Prompts of the connected servers'),
        nothing: t('No connected server has prompts.'),
        load: (signal) => listAllPrompts(host, signal, server),
        toPick: pickOf,
      }));
    if (!prompt) return;
    const filled = await fill(host, prompt);
    if (filled === 'back') continue;
    if (filled === 'cancel') return;
    const chosen = { server: prompt.server, name: prompt.name, arguments: filled };
    const request = { ...chosen, surface: 'editor', isUsersAct: true } as const;
    const messages = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: t('Getting prompt {0}', plainText(prompt.name)) },
      () => getPromptMessages(host, request, new AbortController().signal),
    );
    await insert(prompt.server, messages);
    return;
  }
}

function pickOf(prompt: OfferedPrompt): ItemPick<OfferedPrompt> {
  const names = (prompt.arguments ?? []).map(({ name, required }) => (required ? `${name} *` : name));
  return {
    label: `$(comment) ${plainText(prompt.title ?? prompt.name)}`,
    description: plainText([prompt.name, ...names].join(' · ')),
    ...(prompt.description === undefined ? {} : { detail: plainText(prompt.description) }),
    item: prompt,
  };
}

/**
 * Asks for the arguments of a prompt that are needed and not among the known ones.
 * @returns all of them; `undefined` if the user cancelled
 */
export async function fillMissing(
  host: Host,
  prompt: OfferedPrompt,
  known: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>> | undefined> {
  const missing = (prompt.arguments ?? []).filter(({ name, required }) => required === true && !known[name]);
  const filled = await fill(host, { ...prompt, arguments: missing });
  return typeof filled === 'string' ? undefined : { ...known, ...filled };
}

async function fill(host: Host, prompt: OfferedPrompt): Promise<Readonly<Record<string, string>> | 'back' | 'cancel'> {
  const { server, name } = prompt;
  const fields = (prompt.arguments ?? []).map((field) => ({ ...field, required: field.required === true }));
  if (fields.length === 0) return {};
  const of = { kind: 'prompt', name } as const;
  return askArguments({
    title: prompt.title ?? name,
    fields,
    ...(canComplete(host, server)
      ? {
          complete: (field, value, others, signal) =>
            completeArgument(host, { server, of, argument: field.name, value, others }, signal),
        }
      : {}),
  });
}

/** Into the input and not sent; what can't be text goes along as attached documents. */
async function insert(server: string, messages: readonly PromptMessage[]): Promise<void> {
  const attachFiles = messages.flatMap(({ part }) => {
    if (part.kind === 'link') return [vscode.Uri.from(documentUri({ server, uri: part.uri }))];
    if (part.kind !== 'resource' || part.resource.kind === 'text' || part.resource.uri === '') return [];
    return [vscode.Uri.from(documentUri({ server, uri: part.resource.uri }, part.resource.mimeType))];
  });
  await vscode.commands.executeCommand('workbench.action.chat.open', {
    query: await promptText(messages),
    isPartialQuery: true,
    ...(attachFiles.length > 0 ? { attachFiles } : {}),
  });
}
