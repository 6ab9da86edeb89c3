import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/ownInputs.ts';
import { withHeader, type PastedServer } from '../../config/paste/readPasted.ts';

/** Asks for a header that a server wants. A secret in it becomes an input. @returns the server with it */
export async function askHeader(server: PastedServer): Promise<PastedServer | undefined> {
  const { t } = vscode.l10n;
  const line = await ownInputs.ask(() =>
    vscode.window.showInputBox({
      title: t('Add Header'),
      prompt: t('A secret in it is kept in the secret storage, not in the file.'),
      placeHolder: 'Authorization: Bearer …',
      ignoreFocusOut: true,
      validateInput: (value) => (/^[\w!#$%&'*+.^`|~-]+:\s*\S/.test(value) ? undefined : t('Write “Name: value”.')),
    }),
  );
  if (line === undefined) return undefined;
  const at = line.indexOf(':');
  return withHeader(server, line.slice(0, at).trim(), line.slice(at + 1).trim());
}
