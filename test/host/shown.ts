import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';

/** A message that was shown: its text and its buttons. */
export interface ShownMessage {
  readonly text: string;
  readonly buttons: readonly string[];
}

/** What the extension has shown: the tests have the same API object, so they see it on its way to the editor. */
export interface Shown {
  readonly messages: ShownMessage[];
  /** What the status bar says for some seconds. */
  readonly said: string[];
  /** How many lists. */
  lists: number;
  /** Of them, those that we made. */
  readonly picks: vscode.QuickPick<vscode.QuickPickItem>[];
  /** What the user clicks, instead of the editor asking; `undefined`: the editor asks. */
  answer?: (message: ShownMessage) => PromiseLike<string | undefined> | undefined;
}

/** Notes what is shown while `body` runs. */
export async function withShown<T>(body: (shown: Shown) => Promise<T>): Promise<T> {
  const shown: Shown = { messages: [], said: [], lists: 0, picks: [] };
  const { showInformationMessage, showWarningMessage, showQuickPick, createQuickPick, setStatusBarMessage } =
    vscode.window;
  const message =
    (show: (text: string, ...items: unknown[]) => Thenable<unknown>) =>
    (text: string, ...items: unknown[]): Thenable<unknown> => {
      const message = { text, buttons: items.filter((item) => typeof item === 'string') };
      shown.messages.push(message);
      return shown.answer?.(message) ?? show(text, ...items);
    };
  const list =
    <A extends unknown[], R>(show: (...args: A) => R) =>
    (...args: A): R => {
      shown.lists += 1;
      return show(...args);
    };
  Object.assign(vscode.window, {
    showInformationMessage: message(showInformationMessage),
    showWarningMessage: message(showWarningMessage),
    showQuickPick: list(showQuickPick as (...args: unknown[]) => Thenable<unknown>),
    createQuickPick: list(() => {
      const pick = createQuickPick();
      shown.picks.push(pick);
      return pick;
    }),
    setStatusBarMessage: (text: string, ms: number) => {
      shown.said.push(text);
      return setStatusBarMessage(text, ms);
    },
  });
  try {
    return await body(shown);
  } finally {
    Object.assign(vscode.window, {
      showInformationMessage,
      showWarningMessage,
      showQuickPick,
      createQuickPick,
      setStatusBarMessage,
    });
  }
}

/** Picks an entry of the list that is open. */
export async function pickFrom(list: vscode.QuickPick<vscode.QuickPickItem>, label: string): Promise<void> {
  const item = await eventually(label, () => list.items.find((each) => each.label.includes(label)));
  list.activeItems = [item];
  await eventually(`${label} is active`, () => list.activeItems[0] === item);
  await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
}
