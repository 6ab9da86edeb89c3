// Loaded when another extension reads or writes the configuration.
import { say } from '../base/say.ts';
import { parse } from 'jsonc-parser';
import * as vscode from 'vscode';
import { SwitchboardError } from '../base/errors.ts';
import { decodeText } from '../base/text/decodeText.ts';
import { isRecord } from '../base/json/json.ts';
import { sourcesFor } from '../config/configSources.ts';
import { USER_SETTING_ID } from '../config/ownSources.ts';
import type { ConfigSource, Scope } from '../config/configTypes.ts';
import { readSourceOptions, type StorageFolders } from './configPorts.ts';
import { checkInFolder } from './checkInFolder.ts';
import { ownValue, SECTION } from './settings/ownSettings.ts';

/** The place of a scope: its first source that only holds servers. */
export interface WritablePlace {
  readonly source: ConfigSource;
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

/** Where servers of a scope are written; `undefined` if the scope has no place. */
export function writablePlace(storage: StorageFolders, scope: Scope): WritablePlace | undefined {
  const source = sourcesFor(readSourceOptions(storage)).find((each) => each.scope === scope && each.format === 'mcp');
  if (source?.id === USER_SETTING_ID) return { source, read: readSetting, write: writeSetting };
  const file = source?.file;
  if (!source || file === undefined || !['local', 'project', 'workspace'].includes(scope)) return undefined;
  const uri = vscode.Uri.file(file);
  return { source, read: () => readFile(uri), write: (text) => writeFile(uri, text) };
}

async function readSetting(): Promise<string | undefined> {
  const servers = ownValue('servers');
  return servers === undefined ? undefined : `${JSON.stringify({ mcpServers: servers }, undefined, 2)}\n`;
}

/** A setting holds a value, not a text: content that would be lost is refused. */
async function writeSetting(text: string): Promise<void> {
  const value: unknown = parse(text, [], { allowTrailingComma: true, allowEmptyContent: true });
  const members = isRecord(value) ? Object.keys(value) : [];
  const servers = isRecord(value) ? value['mcpServers'] : undefined;
  if (members.length > 0 && !(members.length === 1 && isRecord(servers))) {
    throw new SwitchboardError('unsupported', say`The user setting can only contain \`{ "mcpServers": { … } }\`.`);
  }
  const settings = vscode.workspace.getConfiguration(SECTION);
  await settings.update('servers', servers, vscode.ConfigurationTarget.Global);
}

async function readFile(uri: vscode.Uri): Promise<string | undefined> {
  try {
    const open = openDocument(uri);
    return open ? open.getText() : decodeText(await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}

/** Writes through the editor's document, so that the change can be undone and unsaved changes stay. */
async function writeFile(uri: vscode.Uri, text: string): Promise<void> {
  await checkInFolder(uri);
  if (openDocument(uri)?.isDirty) {
    throw new SwitchboardError('unsupported', say`${uri.fsPath} has unsaved changes. Nothing was written.`, {
      remedy: say`Save or discard them first.`,
    });
  }
  if ((await readFile(uri)) === undefined) {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    return;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  if ((await vscode.workspace.applyEdit(edit)) && (await document.save())) return;
  throw new SwitchboardError('unsupported', say`${uri.fsPath} could not be written.`, {
    remedy: say`Check that you have write access.`,
  });
}

function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}
