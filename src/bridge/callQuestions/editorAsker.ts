import * as vscode from 'vscode';
import type { Question, Reply } from '../../calls/callTypes.ts';
import type { InputTurn, InputTurns } from '../dialogs/inputTurns.ts';
import { showInput } from '../dialogs/showInput.ts';
import { askInCard } from './chatCard.ts';
import { chatTokenOf } from './inCallAsker.ts';
import {
  answerOf,
  buttonsOf,
  questionLines,
  questionMarkdown,
  questionTitle,
  showAllArguments,
  type ButtonAnswer,
} from './questionText.ts';

/**
 * Asks the user about a call: as a card in the chat where the call came from there and the editor has the means, in a
 * quick pick otherwise. Only our own labels are answers, and a dismissal is a denial. What the editor answers by itself
 * under Bypass Approvals and Autopilot is neither, so then the quick pick asks.
 */
export async function askInEditor(question: Question, turns: InputTurns): Promise<Reply | undefined> {
  for (;;) {
    const answer = await askOnce(question, turns);
    if (answer !== 'show') return answer;
    await showAllArguments(question);
  }
}

async function askOnce(question: Question, turns: InputTurns): Promise<Reply | 'show' | undefined> {
  const inline = await askInline(question);
  if (inline !== 'unanswered' && inline !== 'message') return inline;
  return turns.run(question.signal, async (turn) => {
    const answer = inline === 'message' ? inline : await askInQuickPick(question, turn);
    return answer === 'message' ? askForMessage(question, turn) : answer;
  });
}

/** `unanswered`: this way isn't open here, or the answer wasn't the user's. */
async function askInline(question: Question): Promise<ButtonAnswer | undefined | 'unanswered'> {
  const card = {
    title: questionTitle(question),
    message: questionMarkdown(question),
    buttons: buttonsOf(question).map(({ label }) => label),
  };
  const answer = await askInCard(chatTokenOf(question), card, question.signal);
  return answer ? answerOf(answer.label, question) : 'unanswered';
}

async function askInQuickPick(question: Question, turn: InputTurn): Promise<ButtonAnswer | undefined> {
  return showInput<ButtonAnswer>({ turn, signal: question.signal }, (settle) => {
    const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly answer?: ButtonAnswer }>();
    pick.title = questionTitle(question);
    pick.placeholder = vscode.l10n.t('Select an answer. Press Esc to deny.');
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
    pick.onDidAccept(() => {
      const answer = pick.selectedItems[0]?.answer;
      if (answer) settle(answer);
    });
    return pick;
  });
}

/** What the user wants to say to the model with the denial; nothing said is a plain denial. */
async function askForMessage({ signal }: Question, turn: InputTurn): Promise<Reply> {
  const message = await showInput<string>({ turn, signal }, (settle) => {
    const input = vscode.window.createInputBox();
    input.title = vscode.l10n.t('Tell the model why (optional)');
    input.prompt = vscode.l10n.t('For example, what to do instead. Press Esc to deny without a message.');
    input.onDidAccept(() => settle(input.value));
    return input;
  });
  return message?.trim() ? { deny: message.trim() } : 'deny';
}
