// Loaded before a file of a folder is written.
import { say } from '../base/say.ts';
import * as vscode from 'vscode';
import { messageOf, SwitchboardError } from '../base/errors.ts';
import { checkWritable } from '../base/files/regularFile.ts';

/**
 * Refuses to write a file of a workspace folder that would end up elsewhere.
 * @throws SwitchboardError `denied`
 */
export async function checkInFolder(uri: vscode.Uri): Promise<void> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder?.uri.scheme !== 'file') return;
  try {
    await checkWritable(uri.fsPath, folder.uri.fsPath);
  } catch (cause) {
    throw new SwitchboardError('denied', say`${uri.fsPath} was not written: ${messageOf(cause)}.`, {
      remedy: say`Replace the link by a file of the folder.`,
      cause,
    });
  }
}
