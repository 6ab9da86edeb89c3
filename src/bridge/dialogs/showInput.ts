import * as vscode from 'vscode';
import { onAbort } from '../../base/async.ts';
import type { InputTurn } from './inputTurns.ts';
import { ownInputs } from './ownInputs.ts';

type Input = vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox;

/**
 * Shows an input until it is answered, closed, or `signal` aborts. Where other questions wait, it has a button that puts it
 * off; then it is made anew when it is its turn again, with what was typed.
 * @param make makes the input, and answers by `settle`
 * @returns `undefined` where it was closed
 */
export async function showInput<T>(
  { turn, signal }: { readonly turn: InputTurn; readonly signal: AbortSignal },
  make: (settle: (value: T) => void) => Input,
): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  const answer = Promise.withResolvers<T | undefined>();
  const aborted = onAbort(signal, () => answer.resolve(undefined));
  let shown: ShownInput | undefined;
  let waiting = 0;
  let typed: string | undefined;
  try {
    return await ownInputs.ask(() => {
      turn.setInput({
        show: () => {
          const input = make(answer.resolve);
          if (typed !== undefined) input.value = typed;
          shown = new ShownInput(input, turn);
          shown.setWaiting(waiting);
          shown.show(() => answer.resolve(undefined));
        },
        hide: () => {
          typed = shown?.value;
          shown?.dispose();
          shown = undefined;
        },
        setWaiting: (count) => {
          waiting = count;
          shown?.setWaiting(count);
        },
      });
      return answer.promise;
    });
  } finally {
    aborted.dispose();
    turn.setInput(undefined);
    shown?.dispose();
  }
}

/** An input with the button for the next question. */
class ShownInput {
  readonly #input: Input;
  readonly #buttons: readonly vscode.QuickInputButton[];
  #next: vscode.QuickInputButton | undefined;
  #isDisposed = false;

  constructor(input: Input, turn: InputTurn) {
    this.#input = input;
    this.#buttons = input.buttons;
    input.ignoreFocusOut = true;
    input.onDidTriggerButton((button) => {
      if (button === this.#next) turn.putOff();
    });
  }

  get value(): string {
    return this.#input.value;
  }

  show(onClosed: () => void): void {
    this.#input.onDidHide(() => {
      if (!this.#isDisposed) onClosed();
    });
    this.#input.show();
  }

  setWaiting(count: number): void {
    this.#next = count === 0 ? undefined : nextButton(count);
    this.#input.buttons = this.#next ? [...this.#buttons, this.#next] : this.#buttons;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#input.dispose();
  }
}

function nextButton(waiting: number): vscode.QuickInputButton {
  return {
    iconPath: new vscode.ThemeIcon('arrow-swap'),
    tooltip: vscode.l10n.t('Next Question ({0} waiting)', waiting),
  };
}
