import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ServerEntry } from '../../config/configTypes.ts';
import { checkInFolder } from '../../platform/folderFile.ts';
import { notify } from '../../bridge/notices.ts';

const NEW_FILE = '{\n  "mcpServers": {\n  }\n}\n';
const NEW_WORKSPACE_FILE = '{\n  "servers": {\n  }\n}\n';

export type FileScope = 'project' | 'workspace';

/** Opens the file of a definition at its line; for settings, settings.json. */
export async function openDefinition(entry: ServerEntry): Promise<void> {
  if (entry.source.file === undefined) return openUserSetting();
  const { line, column } = entry.range;
  const position = new vscode.Position(line - 1, column - 1);
  await vscode.window.showTextDocument(vscode.Uri.file(entry.source.file), {
    selection: new vscode.Range(position, position),
  });
}

export async function openUserSetting(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettingsJson', {
    revealSetting: { key: 'mcpSwitchboard.servers', edit: true },
  });
}

/** Opens the project's or workspace's file of servers, creating an empty one if there is none. */
export async function openConfigFile(scope: FileScope): Promise<void> {
  const uri = await configFileUri(scope);
  if (!uri) return;
  await ensureConfigFile(uri, scope);
  await vscode.window.showTextDocument(uri);
}

/** The file of a scope; with several folders, in the one that the user picks. */
export async function configFileUri(scope: FileScope): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) {
    void notify(
      'information',
      vscode.l10n.t('Open a folder first. The {0} configuration is a file in the folder.', scope),
    );
    return undefined;
  }
  const folder = folders.length === 1 ? folders[0] : await vscode.window.showWorkspaceFolderPick();
  return folder && vscode.Uri.joinPath(folder.uri, scope === 'project' ? '.mcp.json' : '.vscode/mcp.json');
}

/** @throws SwitchboardError `denied` where the file would be outside of its folder */
export async function ensureConfigFile(uri: vscode.Uri, scope: FileScope): Promise<void> {
  await checkInFolder(uri);
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    await vscode.workspace.fs.createDirectory(vscode.Uri.file(path.dirname(uri.fsPath)));
    const text = scope === 'project' ? NEW_FILE : NEW_WORKSPACE_FILE;
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  }
}
