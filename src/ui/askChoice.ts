import * as vscode from 'vscode';
import { picked } from '../bridge/dialogs/pickedRow.ts';

/** An answer to choose. */
export interface Choice<T> extends vscode.QuickPickItem {
  readonly value: T;
}

/** A question with text below the answers. */
export interface ChoiceQuestion<T> {
  readonly title: string;
  readonly placeHolder: string;
  readonly choices: readonly Choice<T>[];
  /** Heading of the lines. */
  readonly about: string;
  readonly lines: readonly string[];
  /** What the button *Back* stands for; without it there is none. */
  readonly back?: T;
  /** Further lines, under a heading of their own. */
  readonly more?: { readonly about: string; readonly lines: readonly string[] };
}

/** Asks in a list that stays open until it is answered or closed. @returns `undefined` if it was closed */
export async function askChoice<T>(question: ChoiceQuestion<T>): Promise<T | undefined> {
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly value?: T }>();
  pick.title = question.title;
  pick.placeholder = question.placeHolder;
  pick.ignoreFocusOut = true;
  pick.items = [
    ...question.choices.map((choice) => ({ ...choice, alwaysShow: true })),
    { label: question.about, kind: vscode.QuickPickItemKind.Separator },
    ...question.lines.map((label) => ({ label, alwaysShow: true })),
    ...(question.more
      ? [
          { label: question.more.about, kind: vscode.QuickPickItemKind.Separator },
          ...question.more.lines.map((label) => ({ label, alwaysShow: true })),
        ]
      : []),
  ];
  return picked(pick, ({ value }) => value, question.back);
}

/** Asks in a modal dialog whether to continue. @param yes the label of the button that does */
export async function confirm(question: string, yes: string, detail?: string): Promise<boolean> {
  const options = { modal: true, ...(detail === undefined ? {} : { detail }) };
  return (await vscode.window.showWarningMessage(question, options, yes)) === yes;
}
