import { localized } from '../../bridge/text/localized.ts';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { oneLine } from '../../base/text/showInvisible.ts';
import { USER_SETTING_ID } from '../../config/ownSources.ts';
import type { ServerEntry } from '../../config/configTypes.ts';
import { checkInFolder } from '../../platform/checkInFolder.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import { confirm } from '../askChoice.ts';

const NEW_FILE = '{\n  "mcpServers": {\n  }\n}\n';
const NEW_WORKSPACE_FILE = '{\n  "servers": {\n  }\n}\n';

export type FileScope = 'project' | 'workspace' | 'local';

/** Where each scope’s file is in a folder. */
const IN_FOLDER = { project: '.mcp.json', workspace: '.vscode/mcp.json', repository: '.github/mcp.json' } as const;

/** Opens the file of a definition at its line; for the setting, settings.json; what stands in neither, as a text. */
export async function openDefinition(entry: ServerEntry): Promise<void> {
  if (entry.source.id === USER_SETTING_ID) return openUserSetting();
  if (entry.source.file === undefined) return showDefinition(entry);
  const { line, column } = entry.range;
  const position = new vscode.Position(line - 1, column - 1);
  await vscode.window.showTextDocument(vscode.Uri.file(entry.source.file), {
    selection: new vscode.Range(position, position),
  });
}

/** A server of this session, of an extension or of the cloud: as a file would have it, without values that may be secret. */
async function showDefinition(entry: ServerEntry): Promise<void> {
  const [{ showReadOnlyText }, { launchLines }] = await Promise.all([
    import('../../bridge/readOnlyText.ts'),
    import('../../bridge/text/launchLines.ts'),
  ]);
  const lines = [`${entry.name}: ${localized(entry.source.label)}`, ...launchLines(entry)].map(oneLine);
  await showReadOnlyText(`${oneLine(entry.name)}.txt`, lines.join('\n'));
}

/** Opens the user's settings at their servers. In a setting that is there, `edit` would begin a line that nobody asked for. */
export async function openUserSetting(): Promise<void> {
  const isWritten = vscode.workspace.getConfiguration('mcpSwitchboard').inspect('servers')?.globalValue !== undefined;
  await vscode.commands.executeCommand('workbench.action.openSettingsJson', {
    revealSetting: { key: 'mcpSwitchboard.servers', edit: !isWritten },
  });
}

/** Opens the project's or workspace's file of servers; if there is none, asks whether to create an empty one. */
export async function openConfigFile(scope: Exclude<FileScope, 'local'>): Promise<void> {
  const uri = await configFileUri(scope);
  if (uri) await openOrCreate(uri, scope);
}

/**
 * Opens this machine's and folder's own file of servers, asking whether to create an empty one if there is none.
 * @param file absent where no folder is open
 */
export async function openLocalConfig(file: string | undefined): Promise<void> {
  if (file === undefined) return askForFolder('local');
  await openOrCreate(vscode.Uri.file(file), 'local');
}

/** A file isn't created unasked: it may be shared. */
async function openOrCreate(uri: vscode.Uri, scope: FileScope): Promise<void> {
  const { t } = vscode.l10n;
  const isThere = await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  if (
    !isThere &&
    !(await confirm(t('There is no {0} yet. Create it?', path.basename(uri.fsPath)), t('Create'), uri.fsPath))
  )
    return;
  await ensureConfigFile(uri, scope);
  await vscode.window.showTextDocument(uri);
}

function askForFolder(scope: FileScope | 'repository'): void {
  void notify('information', vscode.l10n.t('Open a folder first. The {0} configuration belongs to a folder.', scope));
}

/** The file of a scope; with several folders, in the one that the user picks. */
export async function configFileUri(scope: keyof typeof IN_FOLDER): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) {
    askForFolder(scope);
    return undefined;
  }
  const folder = folders.length === 1 ? folders[0] : await ownInputs.ask(() => vscode.window.showWorkspaceFolderPick());
  return folder && vscode.Uri.joinPath(folder.uri, IN_FOLDER[scope]);
}

/** @throws SwitchboardError `denied` where the file would be outside of its folder */
export async function ensureConfigFile(uri: vscode.Uri, scope: FileScope): Promise<void> {
  await checkInFolder(uri);
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    await vscode.workspace.fs.createDirectory(vscode.Uri.file(path.dirname(uri.fsPath)));
    const text = scope === 'workspace' ? NEW_WORKSPACE_FILE : NEW_FILE;
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  }
}
