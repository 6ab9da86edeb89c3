import * as vscode from 'vscode';
import { ownInputs } from './ownInputs.ts';

/**
 * Shows a list until an item with a value is chosen or the list is closed, and disposes it.
 * @param valueOf the value of an item; an item without one can't be chosen
 * @param back what the button *Back* stands for; without it there is none
 */
export async function picked<Item extends vscode.QuickPickItem, Value>(
  pick: vscode.QuickPick<Item>,
  valueOf: (item: Item) => Value | undefined,
  back?: Value,
): Promise<Value | undefined> {
  if (back !== undefined) pick.buttons = [vscode.QuickInputButtons.Back];
  try {
    return await ownInputs.ask(
      () =>
        new Promise<Value | undefined>((resolve) => {
          pick.onDidAccept(() => {
            const [item] = pick.selectedItems;
            const value = item && valueOf(item);
            if (value !== undefined) resolve(value);
          });
          pick.onDidTriggerButton((button) => button === vscode.QuickInputButtons.Back && resolve(back));
          pick.onDidHide(() => resolve(undefined));
          pick.show();
        }),
    );
  } finally {
    pick.dispose();
  }
}
