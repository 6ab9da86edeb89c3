import * as vscode from 'vscode';
import { ensureConfigFile, type FileScope } from './openConfig.ts';

/**
 * Changes a file of servers, making it first where there is none, saves it and shows it.
 * @param change gives the new text, or `undefined` where the old one can't be read: then nothing is changed
 */
export async function changeConfigFile(
  uri: vscode.Uri,
  scope: FileScope,
  change: (text: string) => string | undefined,
): Promise<boolean> {
  await ensureConfigFile(uri, scope);
  const document = await vscode.workspace.openTextDocument(uri);
  const text = change(document.getText());
  if (text === undefined) {
    void vscode.window.showErrorMessage(
      vscode.l10n.t('{0} is not a JSON object. Fix the file, then try again.', uri.fsPath),
    );
    await vscode.window.showTextDocument(document);
    return false;
  }
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  await vscode.workspace.applyEdit(edit);
  await document.save();
  await vscode.window.showTextDocument(document);
  return true;
}

/** Where a new definition can be kept. */
export type Target = 'project' | 'workspace' | 'user' | 'session';

/** A place as a line of a quick pick. */
export function targetItem<T extends Target>(target: T): vscode.QuickPickItem & { readonly target: T } {
  return { target, ...textsOf(target) };
}

function textsOf(target: Target): { readonly label: string; readonly description?: string; readonly detail: string } {
  const { t } = vscode.l10n;
  switch (target) {
    case 'project':
      return { label: t('Project'), description: '.mcp.json', detail: t('Shared with everyone on the project') };
    case 'workspace':
      return { label: t('Workspace'), description: '.vscode/mcp.json', detail: t('For this folder') };
    case 'user':
      return { label: t('User'), description: 'mcpSwitchboard.servers', detail: t('For you, in all folders') };
    case 'session':
      return { label: t('This session only'), detail: t('Not saved; until the window closes') };
  }
}
