import * as vscode from 'vscode';
import { fitsDialog } from './dialogLines.ts';
import { showReadOnlyText } from '../readOnlyText.ts';
import { notify } from './showNotification.ts';

/**
 * Asks whether to continue with a text that is shown whole: in the dialog, or, where it is too long for it, in a document
 * beside the question. For what the user has begun: Enter alone is a yes.
 * @param yes the label of the button that does
 * @param title of the document
 */
export function confirmWhole(question: string, yes: string, text: string, title: string): Promise<boolean> {
  return confirmWith([], question, yes, text, title);
}

/**
 * The same for what others have begun, as they like and while the user types: Enter alone is a no. A dialog takes its first button for
 * Enter, and its own *Cancel* is always the last.
 */
export function confirmForOthers(question: string, yes: string, text: string, title: string): Promise<boolean> {
  return confirmWith([vscode.l10n.t('Deny')], question, yes, text, title);
}

/** @param first buttons before the one that agrees */
async function confirmWith(
  first: readonly string[],
  question: string,
  yes: string,
  text: string,
  title: string,
): Promise<boolean> {
  const buttons = [...first, yes];
  if (fitsDialog(text))
    return (await vscode.window.showWarningMessage(question, { modal: true, detail: text }, ...buttons)) === yes;
  await showReadOnlyText(title, text);
  const shown = vscode.l10n.t('All of it is shown in the editor.');
  return (await notify('warning', `${question} ${shown}`, yes)) === yes;
}
