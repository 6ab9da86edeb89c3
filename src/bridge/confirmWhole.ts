import * as vscode from 'vscode';
import { fitsDialog, LINE_LENGTH, wrapped } from './dialogLines.ts';
import { picked } from './pickedRow.ts';
import { showReadOnlyText } from './readOnlyText.ts';
import { plainText } from './safeText.ts';
import { notify } from './showNotification.ts';

/**
 * Asks whether to continue with a text that is shown whole: in the dialog, or, where it is too long for it, in a document
 * beside the question. For what the user has begun: the dialog's default is to continue.
 * @param yes the label of the button that does
 * @param title of the document
 */
export async function confirmWhole(question: string, yes: string, text: string, title: string): Promise<boolean> {
  if (!fitsDialog(text)) return confirmInDocument(question, yes, text, title);
  return (await vscode.window.showWarningMessage(question, { modal: true, detail: text }, yes)) === yes;
}

/**
 * The same for what others have begun. A dialog's default is always its first button, so a text that would fit one is shown in
 * a list, where *Cancel* is chosen first: Enter alone changes nothing.
 */
export async function confirmForOthers(question: string, yes: string, text: string, title: string): Promise<boolean> {
  if (!fitsDialog(text)) return confirmInDocument(question, yes, text, title);
  const { t } = vscode.l10n;
  type Row = vscode.QuickPickItem & { readonly agrees?: boolean };
  const lines = wrapped(question, LINE_LENGTH);
  const rows = (part: string): readonly Row[] =>
    part.split('\n').flatMap((line) => wrapped(line, LINE_LENGTH).map((label) => ({ label: plainText(label) })));
  const heading = (label: string): Row => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const parts = text.split('\n\n').map(rows);
  const items: readonly Row[] = [
    { label: `$(close) ${t('Cancel')}`, agrees: false },
    { label: `$(check) ${yes}`, agrees: true },
    // A title is one line, and cut where it is longer.
    ...(lines.length > 1 ? [heading(title), ...rows(question)] : []),
    ...parts.flatMap((part, place) => [heading(place === 0 && lines.length === 1 ? title : ''), ...part]),
  ];
  const list = vscode.window.createQuickPick<Row>();
  list.title = lines.length > 1 ? title : question;
  list.ignoreFocusOut = true;
  list.items = items.map((item) => ({ ...item, alwaysShow: true }));
  return (await picked(list, ({ agrees }) => agrees)) === true;
}

async function confirmInDocument(question: string, yes: string, text: string, title: string): Promise<boolean> {
  await showReadOnlyText(title, text);
  const shown = vscode.l10n.t('All of it is shown in the editor.');
  return (await notify('warning', `${question} ${shown}`, yes)) === yes;
}
