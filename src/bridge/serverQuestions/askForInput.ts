// Loaded with the first `${input:…}` that is asked for.
import * as vscode from 'vscode';
import type { AskedInput, KnownAnswer } from '../../servers/inputAnswers.ts';
import type { InputTurns } from '../dialogs/inputTurns.ts';
import { plainText } from '../text/safeText.ts';
import { showInput } from '../dialogs/showInput.ts';

/**
 * Asks for the value of an input of a server, when it is this question's turn.
 * @param known an answer that was given before, to be suggested
 * @returns `undefined` where it was closed
 */
export function askForInput(
  turns: InputTurns,
  input: AskedInput,
  serverName: string,
  known?: KnownAnswer,
): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const { signal } = new AbortController();
  const title = t('MCP server {0} needs a value', plainText(serverName));
  const suggested = known ? ` ${t('(suggested: your answer for {0})', known.serverName)}` : '';
  const about = plainText((input.description ?? input.id) + suggested);
  const preset = known?.value ?? input.default;
  return turns.run(signal, (turn) =>
    showInput<string>({ turn, signal }, (settle) =>
      input.type === 'promptString'
        ? textInput({ title, about, preset, password: input.password }, settle)
        : listInput({ title, about, preset, options: input.options }, settle),
    ),
  );
}

interface Shown {
  readonly title: string;
  readonly about: string;
  readonly preset: string | undefined;
}

function textInput(
  { title, about, preset, password }: Shown & { readonly password: boolean },
  settle: (value: string) => void,
): vscode.InputBox {
  const box = vscode.window.createInputBox();
  box.title = title;
  box.prompt = about;
  box.password = password;
  box.value = preset ?? '';
  box.onDidAccept(() => settle(box.value));
  return box;
}

function listInput(
  { title, about, preset, options }: Shown & Pick<Extract<AskedInput, { type: 'pickString' }>, 'options'>,
  settle: (value: string) => void,
): vscode.QuickPick<vscode.QuickPickItem> {
  const isDefault = ({ value }: { readonly value: string }): boolean => value === preset;
  const sorted = [...options.filter(isDefault), ...options.filter((option) => !isDefault(option))];
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly value: string }>();
  pick.title = title;
  pick.placeholder = about;
  pick.items = sorted.map(({ label, value }) => ({
    label: plainText(label),
    value,
    ...(label === value ? {} : { description: plainText(value) }),
  }));
  pick.onDidAccept(() => {
    const [item] = pick.selectedItems;
    if (item) settle(item.value);
  });
  return pick;
}
