import * as vscode from 'vscode';
import { firstLines, LINE_LENGTH } from '../dialogs/dialogLines.ts';
import type { ServerQuestion } from '../../connection/serverQuestionTypes.ts';
import type { InputTurn } from '../dialogs/inputTurns.ts';
import { plainText } from '../text/safeText.ts';
import { showInput } from '../dialogs/showInput.ts';

export interface ServerAnswer<T> extends vscode.QuickPickItem {
  readonly value: T;
}

/** Of a longer message, how many there are is said. */
const MAX_MESSAGE_LINES = 200;

/**
 * A server's question in a list, with its whole message below the answers. The first answer is the one that Enter gives, so
 * it should do no harm.
 * @param title names the server and says what it wants
 * @param below more to read, each under its heading
 * @returns `undefined` where the list was closed or the question withdrawn
 */
export async function askServerPick<T>(
  { params, signal }: Pick<ServerQuestion, 'params' | 'signal'>,
  turn: InputTurn,
  title: string,
  answers: readonly ServerAnswer<T>[],
  below: readonly (readonly [heading: string, lines: readonly string[]])[] = [],
): Promise<T | undefined> {
  const { t } = vscode.l10n;
  const text = typeof params['message'] === 'string' ? params['message'] : '';
  const message = plainText(text.slice(0, LINE_LENGTH * MAX_MESSAGE_LINES));
  const { lines, left } = firstLines([text], MAX_MESSAGE_LINES);
  const said = [...(text.length > LINE_LENGTH ? lines : []), ...(left > 0 ? [t('({0} more characters)', left)] : [])];
  return showInput<T>({ turn, signal }, (settle) => {
    const input = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly value?: T }>();
    input.title = title;
    input.placeholder = message;
    input.items = [
      ...answers.map((answer) => ({ ...answer, alwaysShow: true })),
      ...[...below, [t('Full text'), said] as const].flatMap(([label, lines]) =>
        lines.length === 0
          ? []
          : [
              { label, kind: vscode.QuickPickItemKind.Separator },
              ...lines.map((line) => ({ label: line, alwaysShow: true })),
            ],
      ),
    ];
    input.onDidAccept(() => {
      const value = input.selectedItems[0]?.value;
      if (value !== undefined) settle(value);
    });
    return input;
  });
}
