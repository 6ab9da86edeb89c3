import * as vscode from 'vscode';
import { onAbort, type Sequencer } from '../../base/async.ts';
import type { Question, Reply } from '../../calls/callTypes.ts';
import { askInCard } from './chatCard.ts';
import {
  answerOf,
  buttonsOf,
  questionLines,
  questionMarkdown,
  questionTitle,
  type ButtonAnswer,
} from './questionText.ts';

/**
 * Asks the user about a call: as a card in the chat where the call came from there and the editor has the means, in a
 * quick pick otherwise. Only our own labels are answers, and a dismissal is a denial. What the editor answers by itself
 * under Bypass Approvals and Autopilot is neither, so then the quick pick asks.
 * @param picks shared by all that asks in a list or an input, since a second one would close the first
 */
export async function askInEditor(question: Question, picks: Sequencer): Promise<Reply | undefined> {
  const inline = await askInline(question);
  const answer = inline === 'unanswered' ? await picks.run(() => askInQuickPick(question)) : inline;
  return answer === 'message' ? askForMessage(question) : answer;
}

/** `unanswered`: this way isn't open here, or the answer wasn't the user's. */
async function askInline(question: Question): Promise<ButtonAnswer | undefined | 'unanswered'> {
  const card = {
    title: questionTitle(question),
    message: questionMarkdown(question),
    buttons: buttonsOf(question).map(({ label }) => label),
  };
  const answer = await askInCard(question.surfaceContext, card, question.signal);
  return answer ? answerOf(answer.label, question) : 'unanswered';
}

async function askInQuickPick(question: Question): Promise<ButtonAnswer | undefined> {
  if (question.signal.aborted) return undefined;
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly answer?: ButtonAnswer }>();
  pick.title = questionTitle(question);
  pick.placeholder = vscode.l10n.t('Select an answer. Press Esc to deny.');
  pick.ignoreFocusOut = true;
  pick.matchOnDetail = false;
  // The list may open under the hands of a user who types: the answer that Enter gives must do no harm.
  const buttons = buttonsOf(question);
  const denial = buttons.filter(({ answer }) => answer === 'deny' || answer === 'message');
  pick.items = [
    ...denial,
    ...buttons.filter((button) => !denial.includes(button)),
    { label: vscode.l10n.t('Details'), kind: vscode.QuickPickItemKind.Separator },
    ...questionLines(question).map((label) => ({ label, alwaysShow: true })),
  ];
  const aborted = onAbort(question.signal, () => pick.hide());
  try {
    return await new Promise<ButtonAnswer | undefined>((resolve) => {
      pick.onDidAccept(() => {
        const answer = pick.selectedItems[0]?.answer;
        if (answer) resolve(answer);
      });
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    aborted.dispose();
    pick.dispose();
  }
}

/** What the user wants to say to the model with the denial; nothing said is a plain denial. */
async function askForMessage(question: Question): Promise<Reply> {
  const cancellation = new vscode.CancellationTokenSource();
  const aborted = onAbort(question.signal, () => cancellation.cancel());
  try {
    const message = await vscode.window.showInputBox(
      {
        title: vscode.l10n.t('Tell the model why (optional)'),
        prompt: vscode.l10n.t('For example, what to do instead. Press Esc to deny without a message.'),
        ignoreFocusOut: true,
      },
      cancellation.token,
    );
    return message?.trim() ? { deny: message.trim() } : 'deny';
  } finally {
    aborted.dispose();
    cancellation.dispose();
  }
}
