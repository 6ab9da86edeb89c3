import * as vscode from 'vscode';
import { ownInputs } from '../bridge/dialogs/ownInputs.ts';
import { withoutLinks } from '../bridge/text/safeText.ts';

/** A question for one line of text. */
export interface TextQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly value?: string;
  readonly placeholder?: string;
  readonly isPassword?: boolean;
  readonly step?: { readonly number: number; readonly total: number };
  /** Further buttons; one that gives a text puts it in the box. */
  readonly buttons?: readonly { readonly button: vscode.QuickInputButton; run(): Promise<string | undefined> }[];
  /** What is wrong with a text, for users; `undefined`: nothing. */
  faultOf?(text: string): string | undefined;
}

/** Asks in a box that stays open until it is answered or closed. @returns `undefined` if it was closed; `back` for *Back* */
export async function askText(question: TextQuestion): Promise<{ readonly text: string } | 'back' | undefined> {
  const box = vscode.window.createInputBox();
  Object.assign(box, {
    title: question.title,
    prompt: withoutLinks(question.prompt),
    placeholder: question.placeholder,
    value: question.value ?? '',
    password: question.isPassword === true,
    ignoreFocusOut: true,
    buttons: [vscode.QuickInputButtons.Back, ...(question.buttons ?? []).map(({ button }) => button)],
    ...(question.step ? { step: question.step.number, totalSteps: question.step.total } : {}),
  });
  let isAside = false;
  const isRight = (): boolean => {
    const fault = question.faultOf?.(box.value);
    box.validationMessage = fault === undefined ? undefined : withoutLinks(fault);
    return fault === undefined;
  };
  try {
    return await ownInputs.ask(
      () =>
        new Promise<{ readonly text: string } | 'back' | undefined>((resolve) => {
          // What isn't finished isn't wrong yet.
          box.onDidChangeValue(() => (box.validationMessage = undefined));
          box.onDidTriggerButton(async (button) => {
            if (button === vscode.QuickInputButtons.Back) return resolve('back');
            // What it shows may take the place of the box.
            isAside = true;
            const text = await question.buttons?.find((each) => each.button === button)?.run();
            isAside = false;
            if (text !== undefined) box.value = text;
            box.show();
          });
          box.onDidHide(() => !isAside && resolve(undefined));
          box.onDidAccept(() => isRight() && resolve({ text: box.value }));
          box.show();
        }),
    );
  } finally {
    box.dispose();
  }
}
