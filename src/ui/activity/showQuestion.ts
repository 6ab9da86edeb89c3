// Loaded with its command.
import * as vscode from 'vscode';
import type { InputTurns } from '../../bridge/dialogs/inputTurns.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import type { ServerQuestion } from '../../connection/serverQuestionTypes.ts';
import type { Host } from '../../host/host.ts';

/**
 * *Show Question*: brings a server's question to the front. One that comes up where its call came from can't be brought from
 * there: the chat is opened, or the user is told, since it may be in another program.
 */
export async function showQuestion(
  { calls: { inProgress } }: Host,
  turns: InputTurns,
  question: ServerQuestion | undefined = inProgress.questions[0],
): Promise<void> {
  const { t } = vscode.l10n;
  if (!question) {
    void notify('information', t('No server asks anything.'));
    return;
  }
  if (turns.bringForward(question.signal)) return;
  const isOutside = inProgress.only(question.server.id)?.surface === 'outside';
  if (!isOutside) await vscode.commands.executeCommand('workbench.action.chat.open');
  const name = plainText(question.server.name);
  const text = isOutside
    ? t('“{0}” asks in the client that made the call. Answer there.', name)
    : t('“{0}” asks in the chat. Answer there.', name);
  void notify('information', text);
}
