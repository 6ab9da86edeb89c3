import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { withHeader, type PastedServer } from '../../config/paste/readPasted.ts';

/** Asks for a header that a server wants. A secret in it becomes an input. @returns the server with it */
export async function askHeader(server: PastedServer): Promise<PastedServer | undefined> {
  const header = await askHeaderLine(vscode.l10n.t('Add Header'));
  return header && withHeader(server, header.name, header.value);
}

/** Asks for a header in one line. @returns `undefined` if it was closed */
export async function askHeaderLine(
  title: string,
): Promise<{ readonly name: string; readonly value: string } | undefined> {
  const { t } = vscode.l10n;
  const line = await ownInputs.ask(() =>
    vscode.window.showInputBox({
      title,
      prompt: t('A secret in it is kept in the secret storage, not in the file.'),
      placeHolder: 'Authorization: Bearer …',
      ignoreFocusOut: true,
      validateInput: (value) => (/^[\w!#$%&'*+.^`|~-]+:\s*\S/.test(value) ? undefined : t('Write “Name: value”.')),
    }),
  );
  if (line === undefined) return undefined;
  const at = line.indexOf(':');
  return { name: line.slice(0, at).trim(), value: line.slice(at + 1).trim() };
}
