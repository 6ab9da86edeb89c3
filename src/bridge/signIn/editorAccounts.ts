import { say } from '../../base/say.ts';
import * as vscode from 'vscode';
import { SwitchboardError } from '../../base/errors.ts';
import type { EditorSession, EditorSessionRequest } from '../../connection/auth/signInPorts.ts';
import { inLines, LINE_LENGTH } from '../dialogs/dialogLines.ts';
import type { InputTurns } from '../dialogs/inputTurns.ts';
import { plainText } from '../text/safeText.ts';
import { askServerPick } from '../serverQuestions/serverPick.ts';
import { editorProviderOf, type EditorProvider } from './editorProvider.ts';

type Answer = 'editor' | 'browser';

/**
 * A session of the editor's own account for a server. The editor asks once for the whole extension and names no server, and
 * a token of such an account is for all that the provider has, so the question for each server is ours.
 * @throws SwitchboardError `call-cancelled` where the person closed the question
 */
export async function editorSession(
  request: EditorSessionRequest,
  turns: InputTurns,
  signal: AbortSignal,
): Promise<EditorSession | undefined> {
  const provider = editorProviderOf(request.issuer);
  if (!provider) return undefined;
  const { scopes, interactive, accountId } = request;
  if (interactive && (await ask(request, provider, turns, signal)) === 'browser') return undefined;
  const account =
    accountId === undefined
      ? undefined
      : (await vscode.authentication.getAccounts(provider.id)).find(({ id }) => id === accountId);
  if (accountId !== undefined && !account) return undefined;
  const session = await vscode.authentication.getSession(provider.id, scopes, {
    ...(interactive ? { createIfNone: true, clearSessionPreference: accountId === undefined } : { silent: true }),
    ...(account ? { account } : {}),
  });
  if (!session) return undefined;
  const {
    accessToken,
    account: { id, label },
  } = session;
  return { accessToken, account: { id, label } };
}

async function ask(
  { server, scopes, resource }: EditorSessionRequest,
  { name }: EditorProvider,
  turns: InputTurns,
  signal: AbortSignal,
): Promise<Answer> {
  const { t } = vscode.l10n;
  const lines = (text: string): readonly string[] => inLines(plainText(text), LINE_LENGTH);
  const answer = await turns.run(signal, (turn) =>
    askServerPick<Answer>(
      { params: {}, signal },
      turn,
      t('Use your {0} account for “{1}”?', name, plainText(server.name)),
      [
        { label: `$(browser) ${t('Sign In with the Browser')}`, value: 'browser' },
        { label: `$(account) ${t('Use the Editor’s {0} Account', name)}`, value: 'editor' },
      ],
      [
        [
          t('Warnings'),
          lines(t('The server gets a token of this account that is valid at {0}, not only for the server.', name)),
        ],
        [t('Server that gets access'), lines(resource)],
        [t('It asks for'), scopes.length > 0 ? scopes.flatMap(lines) : [t('what it gives by default')]],
      ],
    ),
  );
  if (answer === undefined) throw new SwitchboardError('call-cancelled', say`The sign-in was cancelled.`);
  return answer;
}
