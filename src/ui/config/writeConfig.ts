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
      vscode.l10n.t('{0} is not a JSON object, so nothing was added. Mend the file first.', uri.fsPath),
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
