import * as path from 'node:path';
import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json/json.ts';
import { showInvisible } from '../../base/text/showInvisible.ts';
import { fileEdit, unifiedDiff } from '../../calls/plan/fileEdit.ts';

const MAX_LINES = 60;

/** What a call would change in a file that is open in the editor, as a unified diff; `undefined` where it's none. */
export function openFileDiff(args: JsonObject): { readonly file: string; readonly diff: string } | undefined {
  const edit = fileEdit(args);
  if (!edit) return undefined;
  const document = vscode.workspace.textDocuments.find(
    ({ uri }) => uri.scheme === 'file' && candidates(edit.path).includes(uri.fsPath),
  );
  const before = document?.getText();
  const after = before === undefined ? undefined : edit.apply(before);
  if (before === undefined || after === undefined) return undefined;
  const diff = unifiedDiff(before, after, MAX_LINES);
  return diff === '' ? undefined : { file: showInvisible(edit.path), diff: showInvisible(diff) };
}

function candidates(file: string): readonly string[] {
  if (file.startsWith('file:')) return [vscode.Uri.parse(file).fsPath];
  if (path.isAbsolute(file)) return [path.normalize(file)];
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => path.join(uri.fsPath, file));
}
