import * as vscode from 'vscode';
import { onAbort } from '../base/async.ts';
import type { InputTurn } from './inputTurns.ts';

/**
 * Shows an input until `listen` settles it, it is closed, or `signal` aborts, and disposes of it. Where other questions wait,
 * it has a button that lets the next one come first.
 * @param listen what the input's events settle it with
 * @returns `undefined` where it was closed
 */
export async function showInput<T>(
  input: vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox,
  { turn, signal }: { readonly turn: InputTurn; readonly signal: AbortSignal },
  listen: (settle: (value: T) => void) => void,
): Promise<T | undefined> {
  if (signal.aborted) {
    input.dispose();
    return undefined;
  }
  const buttons = input.buttons;
  let next: vscode.QuickInputButton | undefined;
  /** Hidings of ours that the editor hasn't told of yet: it tells of those by the user, too. */
  let hidden = 0;
  input.ignoreFocusOut = true;
  const aborted = onAbort(signal, () => input.hide());
  try {
    return await new Promise<T | undefined>((resolve) => {
      input.onDidTriggerButton((button) => {
        if (button === next) turn.putOff();
      });
      input.onDidHide(() => {
        if (hidden > 0) hidden -= 1;
        else resolve(undefined);
      });
      listen(resolve);
      turn.setInput({
        show: () => input.show(),
        hide: () => {
          hidden += 1;
          input.hide();
        },
        setWaiting: (count) => {
          next = count === 0 ? undefined : nextButton(count);
          input.buttons = next ? [...buttons, next] : buttons;
        },
      });
    });
  } finally {
    aborted.dispose();
    turn.setInput(undefined);
    input.dispose();
  }
}

function nextButton(waiting: number): vscode.QuickInputButton {
  return {
    iconPath: new vscode.ThemeIcon('arrow-swap'),
    tooltip: vscode.l10n.t('Next Question ({0} waiting)', waiting),
  };
}
