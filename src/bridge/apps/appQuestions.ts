import * as vscode from 'vscode';
import { inLines, LINE_LENGTH, wrapped } from '../dialogs/dialogLines.ts';
import { confirmForOthers } from '../dialogs/confirmWhole.ts';
import { plainText } from '../text/safeText.ts';
import { showInvisible } from '../../base/text/showInvisible.ts';
import { warningSentence } from '../serverQuestions/askToOpen.ts';
import { shownAddress } from '../serverQuestions/shownAddress.ts';
import { MAX_REFUSALS } from './appLimits.ts';
import type { AppUser } from './appSession.ts';

const { t } = vscode.l10n;

/** A longer message isn't shown, and so not taken, in characters. */
const MAX_MESSAGE = 20_000;

/** Asks the user about what an app wants, one question at a time. */
export class AppQuestions implements AppUser {
  readonly #server: string;
  readonly #isSeen: () => boolean;
  #refusals = 0;
  #isAsking = false;

  /** @param server its name @param isSeen whether the app's tab is shown: of one that isn't, nothing is asked */
  constructor(server: string, isSeen: () => boolean) {
    this.#server = plainText(server);
    this.#isSeen = isSeen;
  }

  /** Nothing but addresses of the web is opened, and each is asked about. */
  async openLink(address: string, signal: AbortSignal): Promise<boolean> {
    const shown = shownAddress(address);
    if (!shown) return false;
    const { href, host, reads, warnings } = shown;
    const lines = [
      ...warnings.flatMap((warning) => inLines(warningSentence(warning, reads), LINE_LENGTH)),
      ...wrapped(plainText(href), LINE_LENGTH),
    ];
    const asked = await this.#ask(
      t('The app of “{0}” wants to open a web page.', this.#server),
      t('Open {0} in the Browser', plainText(host)),
      lines.join('\n'),
      signal,
    );
    // As a text: the editor would decode and encode a `Uri` on the way.
    return asked && vscode.env.openExternal(href as unknown as vscode.Uri);
  }

  /** It is the user who sends it. */
  async writeIntoChat(text: string, signal: AbortSignal): Promise<boolean> {
    if (text.length > MAX_MESSAGE) return false;
    const question = t(
      'The app of “{0}” wants to write a message into the chat. You can change it before you send it.',
      this.#server,
    );
    if (!(await this.#ask(question, t('Write into Chat'), showInvisible(text), signal))) return false;
    await vscode.commands.executeCommand('workbench.action.chat.open', {
      query: showInvisible(text),
      isPartialQuery: true,
    });
    return true;
  }

  /** @param signal aborts when the app is gone: then nothing is done, whatever is answered to a question that is open */
  async #ask(question: string, yes: string, text: string, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted || !this.#isSeen() || this.#isAsking || this.#refusals >= MAX_REFUSALS) return false;
    this.#isAsking = true;
    try {
      const isYes = await confirmForOthers(question, yes, text, t('Message of an App'));
      if (!isYes) this.#refusals += 1;
      return isYes && !signal.aborted;
    } finally {
      this.#isAsking = false;
    }
  }
}
