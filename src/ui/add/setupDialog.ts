// Loaded when a server of a registry or a bundle is set up.
import { localized } from '../../bridge/text/localized.ts';
import * as vscode from 'vscode';
import { plainText } from '../../bridge/text/safeText.ts';
import { faultOf, type SetupAnswers, type SetupQuestion } from '../../config/registry/setupQuestions.ts';
import { askChoice } from '../askChoice.ts';
import { askText } from '../askText.ts';

/** Stands between the values of an answer that may be several. */
const SEPARATOR = ';';

/**
 * Asks for the values that a server takes, one after the other; *Back* goes to the one before.
 * @param known answers to begin with, in place of the defaults
 * @returns `back` from the first one; `undefined` if one was closed
 */
export async function askSetup(
  title: string,
  questions: readonly SetupQuestion[],
  known: SetupAnswers = new Map(),
): Promise<SetupAnswers | 'back' | undefined> {
  const answers = new Map(known);
  for (let index = 0; index < questions.length;) {
    const question = questions[index];
    if (!question) break;
    const answer = await askOne(title, question, answers.get(question.id) ?? question.defaults, {
      number: index + 1,
      total: questions.length,
    });
    if (answer === undefined || (answer === 'back' && index === 0)) return answer;
    if (answer === 'back') index -= 1;
    else {
      answers.set(question.id, answer);
      index += 1;
    }
  }
  return answers;
}

type Step = { readonly number: number; readonly total: number };

async function askOne(
  title: string,
  question: SetupQuestion,
  value: readonly string[],
  step: Step,
): Promise<readonly string[] | 'back' | undefined> {
  if (question.choices ?? question.kind === 'boolean') return askAmong(title, question, value, step);
  const { t } = vscode.l10n;
  const { label, description, isRequired, isSecret, isRepeated, kind, placeholder } = question;
  const notes = [
    ...(isRequired ? [] : [t('optional')]),
    ...(isSecret ? [t('kept in the secret storage')] : []),
    ...(isRepeated ? [t('several with “{0}” between them', SEPARATOR)] : []),
  ];
  const about = description === undefined ? '' : `: ${description}`;
  const open = { iconPath: new vscode.ThemeIcon('folder-opened'), tooltip: t('Browse…') };
  const answer = await askText({
    title: plainText(title),
    prompt: plainText(`${label}${about}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`),
    value: isSecret ? '' : value.join(SEPARATOR),
    isPassword: isSecret,
    step,
    ...(placeholder === undefined ? {} : { placeholder: plainText(placeholder) }),
    ...(kind === 'file' || kind === 'folder'
      ? { buttons: [{ button: open, run: () => pickPath(kind, isRepeated) }] }
      : {}),
    faultOf: (text) => valuesIn(text, isRepeated).flatMap((each) => localized(faultOf(question, each) ?? '') || [])[0],
  });
  return typeof answer === 'object' ? valuesIn(answer.text, isRepeated) : answer;
}

function valuesIn(text: string, isRepeated: boolean): readonly string[] {
  if (!isRepeated) return [text];
  const values = text.split(SEPARATOR).map((each) => each.trim());
  return values.length > 1 ? values.filter((each) => each !== '') : values;
}

async function pickPath(kind: 'file' | 'folder', isRepeated: boolean): Promise<string | undefined> {
  const picked = await vscode.window.showOpenDialog({
    canSelectFiles: kind === 'file',
    canSelectFolders: kind === 'folder',
    canSelectMany: isRepeated,
  });
  return picked?.map(({ fsPath }) => fsPath).join(SEPARATOR);
}

async function askAmong(
  title: string,
  question: SetupQuestion,
  [value]: readonly string[],
  { number, total }: Step,
): Promise<readonly string[] | 'back' | undefined> {
  const { t } = vscode.l10n;
  const { label, description = '', isRequired, choices = ['true', 'false'] } = question;
  const usual = choices.filter((each) => each === value);
  const all = [...usual, ...choices.filter((each) => each !== value)];
  return askChoice<readonly string[] | 'back'>({
    title: `${plainText(title)} (${number}/${total})`,
    placeHolder: plainText(label),
    choices: [
      ...all.map((each) => ({
        label: plainText(each),
        ...(each === value ? { description: t('default') } : {}),
        value: [each],
      })),
      ...(isRequired ? [] : [{ label: t('Leave Empty'), value: [''] }]),
    ],
    about: plainText(label),
    lines: description === '' ? [] : [plainText(description)],
    back: 'back',
  });
}
