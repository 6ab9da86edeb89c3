import * as vscode from 'vscode';
import type { AccountNameQuestion, ClientQuestion, GivenClient } from '../../connection/auth/signInPorts.ts';
import type { InputTurns } from '../dialogs/inputTurns.ts';
import { plainText } from '../text/safeText.ts';
import { showInput } from '../dialogs/showInput.ts';

/** Asks for the client that the person registered, and offers the redirect address to copy. */
export async function askClient(
  { server, issuer, redirectUri, why }: ClientQuestion,
  turns: InputTurns,
  signal: AbortSignal,
): Promise<GivenClient | undefined> {
  const { t } = vscode.l10n;
  const title = t('Sign in to “{0}”', plainText(server.name));
  const copy: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('copy'),
    tooltip: t('Copy the Redirect Address'),
  };
  return turns.run(signal, async (turn) => {
    const clientId = await showInput<string>({ turn, signal }, (settle) => {
      const box = vscode.window.createInputBox();
      box.title = title;
      box.prompt = plainText(
        t(
          '{0} Register a client at {1} with the redirect address {2} (the button copies it), and enter its client id.',
          why,
          issuer,
          redirectUri,
        ),
      );
      box.placeholder = t('Client id');
      box.buttons = [copy];
      box.onDidTriggerButton((button) => {
        if (button === copy) void vscode.env.clipboard.writeText(redirectUri);
      });
      box.onDidAccept(() => box.value.trim() !== '' && settle(box.value.trim()));
      return box;
    });
    if (clientId === undefined) return undefined;
    const clientSecret = await showInput<string>({ turn, signal }, (settle) => {
      const box = vscode.window.createInputBox();
      box.title = title;
      box.prompt = t('Client secret. Leave it empty if the client has none.');
      box.password = true;
      box.onDidAccept(() => settle(box.value.trim()));
      return box;
    });
    if (clientSecret === undefined) return undefined;
    return clientSecret === '' ? { clientId } : { clientId, clientSecret };
  });
}

/** Asks how to call an account that has no name. */
export async function askAccountName(
  { server, issuer }: AccountNameQuestion,
  turns: InputTurns,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { t } = vscode.l10n;
  return turns.run(signal, (turn) =>
    showInput<string>({ turn, signal }, (settle) => {
      const box = vscode.window.createInputBox();
      box.title = t('Signed in to “{0}”', plainText(server.name));
      box.prompt = t('{0} doesn’t say which account it is. Enter a name for it.', plainText(issuer));
      box.onDidAccept(() => box.value.trim() !== '' && settle(box.value.trim()));
      return box;
    }),
  );
}
