import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/json/json.ts';
import { fenced } from '../text/markdownText.ts';

type Part = vscode.LanguageModelTextPart | vscode.LanguageModelDataPart;

/** How much of one attachment, and of all together, goes to the model, in characters. */
const MAX_ONE = 20_000;
/** The part of the context that attachments may take; about four characters are a token. */
const SHARE = 0.25;
const CHARACTERS_PER_TOKEN = 4;
const MAX_ENTRIES = 200;
/** What the editor adds to every message for its own agent: skills and agents that only that one has. */
const EDITORS_OWN = /^vscode\.customizations\b/;

/**
 * What the user attached (`#file`, a selection, a folder, an image, a text), with its contents, in the order in which they
 * stand in the message. What can't be read is named, with the reason.
 */
export async function referenceParts({
  references,
  model,
}: Pick<vscode.ChatRequest, 'references' | 'model'>): Promise<readonly Part[]> {
  const parts: Part[] = [];
  let room = model.maxInputTokens * SHARE * CHARACTERS_PER_TOKEN;
  // The editor gives the last one first.
  for (const { id, value, modelDescription } of references.toReversed()) {
    if (EDITORS_OWN.test(id)) continue;
    const part = await partOf(value, Math.min(MAX_ONE, Math.max(0, room)));
    if (typeof part !== 'string') parts.push(part);
    else {
      room -= part.length;
      parts.push(new vscode.LanguageModelTextPart(`Attached: ${modelDescription ?? id}\n${part}`));
    }
  }
  return parts;
}

async function partOf(value: unknown, room: number): Promise<string | vscode.LanguageModelDataPart> {
  try {
    if (typeof value === 'string') return fenced('', cut(value, room));
    if (value instanceof vscode.Uri) return await resourceText(value, undefined, room);
    if (value instanceof vscode.Location) return await resourceText(value.uri, value.range, room);
    const image = await imageOf(value);
    return image ?? '(a kind of attachment that can’t be passed on)';
  } catch (error) {
    return `(could not be read: ${messageOf(error)})`;
  }
}

async function resourceText(uri: vscode.Uri, range: vscode.Range | undefined, room: number): Promise<string> {
  const name = vscode.workspace.asRelativePath(uri);
  if (!range && (await isFolder(uri))) {
    const entries = await vscode.workspace.fs.readDirectory(uri);
    const names = entries.map(([entry, type]) => (type === vscode.FileType.Directory ? `${entry}/` : entry));
    return `Folder ${name}:\n${fenced('', names.slice(0, MAX_ENTRIES).join('\n'))}`;
  }
  // The document has what isn't saved yet; a file that isn't text is refused by it.
  const document = await vscode.workspace.openTextDocument(uri);
  const where = range ? `${name}, lines ${range.start.line + 1} to ${range.end.line + 1}` : name;
  return `${where}:\n${fenced(document.languageId, cut(document.getText(range), room))}`;
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) !== 0;
  } catch {
    // An unsaved document isn't on any file system.
    return false;
  }
}

/** An image from the clipboard or a screenshot: the editor gives an object with its type and a way to its bytes. */
async function imageOf(value: unknown): Promise<vscode.LanguageModelDataPart | undefined> {
  if (!isRecord(value) || typeof value['mimeType'] !== 'string' || typeof value['data'] !== 'function')
    return undefined;
  const data: unknown = await (value as unknown as { data(): Thenable<unknown> }).data();
  return data instanceof Uint8Array ? new vscode.LanguageModelDataPart(data, value['mimeType']) : undefined;
}

function cut(text: string, room: number): string {
  return text.length <= room ? text : `${text.slice(0, room)}\n… (${text.length - room} more characters)`;
}
