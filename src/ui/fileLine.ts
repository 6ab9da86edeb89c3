import * as vscode from 'vscode';
import { oneLine } from '../base/text/showInvisible.ts';

/** Says in a question that a file is no part of what is approved. @param file relative to the folder; a folder ends with `/` */
export function fileLine(file: string): string {
  const { t } = vscode.l10n;
  const text = file.endsWith('/')
    ? t('{0}: a folder of this folder, whose files can change', file)
    : t('{0}: a file of this folder, which can change', file);
  return oneLine(`⚠ ${text}`);
}
