import * as vscode from 'vscode';
import type { InputTurns } from '../dialogs/inputTurns.ts';
import { plainText } from '../text/safeText.ts';
import { showInput } from '../dialogs/showInput.ts';
import { pastedAnswer, type PasteFault } from './redirect/redirectAddress.ts';
import type { AnswerRefusal } from './awaitedAnswer.ts';
import type { WaitingSignIn } from './waitingSignIns.ts';

/**
 * Asks for the address that the browser ended at, for a sign-in that waits. What is no answer to it is refused in place.
 * @param over settles when the sign-in no longer waits: then the question is closed
 */
export async function askForAddress(
  { server, awaited, redirectUri }: WaitingSignIn,
  turns: InputTurns,
  over: Promise<unknown>,
): Promise<void> {
  const { t } = vscode.l10n;
  const abort = new AbortController();
  const close = (): void => abort.abort();
  over.then(close, close);
  await turns.run(abort.signal, (turn) =>
    showInput<true>({ turn, signal: abort.signal }, (settle) => {
      const box = vscode.window.createInputBox();
      box.title = t('Sign in to “{0}”', plainText(server.name));
      box.prompt = t(
        'After you sign in, the browser ends at an address that begins with {0}, also where it can’t show that page. Copy the whole address and paste it here.',
        plainText(redirectUri.split('?')[0] ?? ''),
      );
      box.placeholder = t('Paste the address');
      // The address has the code of the sign-in in it.
      box.password = true;
      box.onDidChangeValue(() => (box.validationMessage = undefined));
      box.onDidAccept(() => {
        const answer = pastedAnswer(box.value);
        const fault = typeof answer === 'string' ? answer : awaited.offer(answer, () => undefined);
        if (fault === undefined) settle(true);
        else box.validationMessage = faultText(fault);
      });
      return box;
    }),
  );
}

function faultText(fault: PasteFault | AnswerRefusal): string {
  const { t } = vscode.l10n;
  switch (fault) {
    case 'no-address':
      return t('This is no address that a sign-in ends at. Copy it from the browser’s address bar.');
    case 'no-state':
    case 'cut':
      return t('The address is incomplete. Copy all of it, after the sign-in is finished.');
    case 'other':
      return t('This address belongs to another sign-in. Copy the one of the page that was opened last.');
    case 'late':
      return t('This sign-in is over. Start again.');
  }
}
