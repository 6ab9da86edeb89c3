import { shownBytes } from '../../../base/data/dataForModels.ts';
import * as vscode from 'vscode';
import { showInvisible } from '../../../base/text/showInvisible.ts';
import { readContents, type ResourceContent } from '../../resources/readContents.ts';
import { documentUri } from '../../resources/documentUri.ts';
import { listAllResources, type OfferedResource } from '../../resources/listOffered.ts';
import type { ServerView } from '../../../host/views/serverView.ts';
import { viewNamed } from '../../../host/views/viewNamed.ts';
import { capabilitiesOf, connectedViews } from '../../resources/serverRequests.ts';
import { type Answer, type CommandContext, modelText } from './answer.ts';
import { commandLink, table } from '../markdown.ts';
import { fenced } from '../../text/markdownText.ts';
import { escaped } from '../../text/safeText.ts';

const { t } = vscode.l10n;
const MAX_SHOWN = 4_000;
const MAX_ROWS = 100;

/** A resource that was read, with what the user wants of it. */
export interface ReadResource extends Answer {
  readonly contents: readonly ResourceContent[];
  /** What was typed after its address. */
  readonly question: string;
}

/** `/resource [SERVER] URI [question]`: reads it and shows it; without an address, what there is. */
export async function resourceCommand({
  host,
  request,
  argument,
  signal,
}: CommandContext): Promise<ReadResource | Answer> {
  const views = connectedViews(host).filter((view) => capabilitiesOf(view)['resources'] !== undefined);
  const names = views.map(({ definition }) => definition.name);
  const [said, rest] = serverIn(argument, host, views);
  const [uri = '', ...words] = rest.split(/\s+/);
  if (uri === '') return listAnswer(await listAllResources(host, signal));
  const server = said?.definition.name ?? (await serverOf(uri, names, host, signal));
  if (server === undefined) {
    const followUps = names.map((name) => ({ prompt: `${name} ${argument}`, command: 'resource' }));
    const text = t(
      'No server lists {0}. Specify the server: /resource SERVER URI. Servers: {1}',
      uri,
      names.join(', '),
    );
    return { markdown: escaped(text), followUps };
  }
  const { toolInvocationToken: surfaceContext } = request;
  const contents = await readContents(host, {
    server,
    uri,
    surface: 'participant',
    signal,
    surfaceContext,
    isUsersAct: true,
  });
  const type = contents[0]?.mimeType;
  return {
    markdown: contents.map(contentMarkdown).join('\n\n') || t('The resource is empty.'),
    document: { uri: vscode.Uri.from(documentUri({ server, uri }, type)), title: uri },
    contents,
    question: words.join(' '),
  };
}

/** A name of a server has no more words. */
const MAX_WORDS = 8;

/** The server that the argument begins with, by whatever name, and the rest of it. */
function serverIn(
  argument: string,
  host: CommandContext['host'],
  views: readonly ServerView[],
): readonly [ServerView | undefined, string] {
  const gaps = Array.from(argument.matchAll(/\s+/g)).slice(0, MAX_WORDS);
  for (const { index } of gaps.toReversed()) {
    const view = viewNamed(views, argument.slice(0, index), host.catalog);
    if (view) return [view, argument.slice(index).trim()];
  }
  return [undefined, argument];
}

/** Whose a resource is: the server that lists it, or the only one that has any. */
async function serverOf(
  uri: string,
  names: readonly string[],
  host: CommandContext['host'],
  signal: AbortSignal,
): Promise<string | undefined> {
  if (names.length === 1) return names[0];
  const { items } = await listAllResources(host, signal);
  const owners = new Set(items.filter((item) => item.uri === uri).map(({ server }) => server));
  return owners.size === 1 ? [...owners][0] : undefined;
}

function contentMarkdown(content: ResourceContent): string {
  if (content.kind === 'data')
    return escaped(`(${content.mimeType ?? 'application/octet-stream'}, ${content.data.length} bytes)`);
  const { text } = content;
  const more = text.length > MAX_SHOWN ? `\n… (${text.length - MAX_SHOWN} more characters)` : '';
  return fenced(languageOf(content.mimeType), showInvisible(text.slice(0, MAX_SHOWN)) + more);
}

function languageOf(mimeType: string | undefined): string {
  return /^(?:text|application)\/(?:x-)?([a-z]+)$/.exec(mimeType ?? '')?.[1] ?? 'text';
}

/** The contents for the model. */
export function contentParts(
  host: CommandContext['host'],
  contents: readonly ResourceContent[],
  takesImages: boolean,
): Promise<(vscode.LanguageModelTextPart | vscode.LanguageModelDataPart)[]> {
  const partOf = async (
    content: ResourceContent,
  ): Promise<vscode.LanguageModelTextPart | vscode.LanguageModelDataPart> => {
    if (content.kind === 'text')
      return new vscode.LanguageModelTextPart(await modelText(host, `Resource ${content.uri}:\n${content.text}`));
    const type = content.mimeType ?? 'application/octet-stream';
    const shown = shownBytes(content.data, type);
    if (shown.kind === 'text') return new vscode.LanguageModelTextPart(`Resource ${content.uri} ${shown.text}`);
    return shown.mimeType.startsWith('image/') && takesImages
      ? new vscode.LanguageModelDataPart(shown.data, shown.mimeType)
      : new vscode.LanguageModelTextPart(`Resource ${content.uri} (${type}, ${content.data.length} bytes, not shown)`);
  };
  return Promise.all(contents.map(partOf));
}

function listAnswer({
  items,
  failures,
}: {
  readonly items: readonly OfferedResource[];
  readonly failures: readonly string[];
}): Answer {
  const failed = failures.map((failure) => `\n\n${escaped(failure)}`).join('');
  if (items.length === 0) return { markdown: `${t('No connected server has resources.')}${failed}` };
  const rows = items.slice(0, MAX_ROWS).map(({ uri, server, name, mimeType = '' }) => [uri, server, name, mimeType]);
  const more = items.length > MAX_ROWS ? `\n\n${t('… and {0} more.', items.length - MAX_ROWS)}` : '';
  const pick = commandLink(t('Open Resource…'), 'mcpSwitchboard.openResource').markdown;
  return {
    markdown: `${table([t('Address'), t('Server'), t('Name'), t('Type')], rows)}${more}\n\n${pick}${failed}`,
    followUps: items.slice(0, 3).map(({ server, uri }) => ({ prompt: `${server} ${uri}`, command: 'resource' })),
  };
}
