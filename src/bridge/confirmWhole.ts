import * as vscode from 'vscode';
import { fitsDialog } from './dialogLines.ts';
import { showReadOnlyText } from './readOnlyText.ts';
import { notify } from './showNotification.ts';

/**
 * Asks whether to continue with a text that is shown whole: in the dialog, or, where it is too long for it, in a document
 * beside the question.
 * @param yes the label of the button that does
 * @param title of the document
 */
export async function confirmWhole(question: string, yes: string, text: string, title: string): Promise<boolean> {
  if (fitsDialog(text))
    return (await vscode.window.showWarningMessage(question, { modal: true, detail: text }, yes)) === yes;
  await showReadOnlyText(title, text);
  const shown = vscode.l10n.t('All of it is shown in the editor.');
  return (await notify('warning', `${question} ${shown}`, yes)) === yes;
}
