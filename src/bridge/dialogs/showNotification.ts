import * as vscode from 'vscode';
import { withoutLinks } from '../text/safeText.ts';

/**
 * Shows a notification; every one goes through here, because the editor would make links of a text such as
 * `[Repair](command:…)`, and names, errors and the ends of logs are others' texts.
 * @returns the label of the button that was clicked
 */
export function notify(
  kind: 'information' | 'warning' | 'error',
  text: string,
  ...buttons: readonly string[]
): Thenable<string | undefined> {
  const { showInformationMessage, showWarningMessage, showErrorMessage } = vscode.window;
  const show = { information: showInformationMessage, warning: showWarningMessage, error: showErrorMessage }[kind];
  return show(withoutLinks(text), ...buttons);
}
