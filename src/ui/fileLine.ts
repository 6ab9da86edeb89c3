import * as vscode from 'vscode';
import { oneLine } from '../base/invisible.ts';

/** Says in a question that a file is no part of what is approved. @param file relative to the folder */
export function fileLine(file: string): string {
  return oneLine(`⚠ ${vscode.l10n.t('{0}: a file of this folder, which can change', file)}`);
}
