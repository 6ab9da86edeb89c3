import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json/json.ts';
import { inLines, LINE_LENGTH, wrapped } from '../dialogs/dialogLines.ts';
import type { ServerQuestion } from '../../connection/serverQuestionTypes.ts';
import type { InputTurns } from '../dialogs/inputTurns.ts';
import { plainText } from '../text/safeText.ts';
import { shownAddress, type AddressWarning } from './shownAddress.ts';
import { askServerPick } from './serverPick.ts';

const { t } = vscode.l10n;

/** Shows an address whole, with its host apart and what is odd about it, and opens it after a yes. */
export async function askToOpen(question: ServerQuestion, turns: InputTurns): Promise<JsonObject> {
  const address = shownAddress(question.params['url']);
  // What isn't an address of the web is refused without a question.
  if (!address) return { action: 'decline' };
  const { href, host, reads, warnings } = address;
  const answer = await turns.run(question.signal, (turn) =>
    askServerPick(
      question,
      turn,
      t('“{0}” wants to open a web page', plainText(question.server.name)),
      [
        { label: t('Decline'), description: t('don’t open it'), value: 'decline' as const },
        { label: `$(link-external) ${t('Open {0} in the Browser', plainText(host))}`, value: 'accept' as const },
      ],
      [
        [t('Warnings'), warnings.flatMap((warning) => warningLines(warningSentence(warning, reads)))],
        // Indented where it goes on: a path may look like another site's address.
        [t('Address'), wrapped(plainText(href), LINE_LENGTH)],
      ],
    ),
  );
  if (answer !== 'accept') return { action: answer ?? 'cancel' };
  // As a text: the editor would decode and encode a `Uri` on the way and so change what it asks for. It takes both.
  const opened = await vscode.env.openExternal(href as unknown as vscode.Uri);
  return { action: opened ? 'accept' : 'cancel' };
}

function warningLines(sentence: string): readonly string[] {
  return inLines(sentence, LINE_LENGTH).map((line, index) => (index === 0 ? `$(warning) ${line}` : line));
}

/** What is odd about an address, as a sentence. */
export function warningSentence(warning: AddressWarning, reads: string | undefined): string {
  switch (warning) {
    case 'not-encrypted':
      return t('The connection is not encrypted.');
    case 'user-info':
      return t('Text before “@” is a user name, not the site.');
    case 'look-alike':
      return t('The site’s name reads “{0}” and may imitate another.', reads ?? '');
    case 'no-name':
      return t('The address is a number or this computer, not a site’s name.');
    case 'port':
      return t('The port is unusual.');
    case 'invisible':
      return t('The address has invisible or reordering characters.');
  }
}

/** How long it is shown that a server waits for what the user does in the browser, in milliseconds. */
const LONGEST_WAIT_MS = 10 * 60_000;

/** Shows that a server waits for what was begun at an address, until `done`, or until the user closes it. */
export async function showWaiting({ server, params }: ServerQuestion, done: Promise<void>): Promise<void> {
  const host = shownAddress(params['url'])?.host ?? '';
  await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      cancellable: true,
      title: t('“{0}” is waiting for you to finish at {1}', plainText(server.name), plainText(host)),
    },
    async (_progress, token) => {
      let timer: NodeJS.Timeout | undefined;
      const closed = new Promise<void>((resolve) => {
        token.onCancellationRequested(() => resolve());
        timer = setTimeout(resolve, LONGEST_WAIT_MS);
      });
      await Promise.race([done, closed]);
      clearTimeout(timer);
    },
  );
}
