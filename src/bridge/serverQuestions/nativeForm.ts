import * as vscode from 'vscode';
import { onAbort } from '../../base/async.ts';
import { showInvisible } from '../../base/invisible.ts';
import type { JsonObject } from '../../base/json.ts';
import type { CallsInProgress } from '../../calls/callsInProgress.ts';
import type { ServerQuestion } from '../../connection/connectionTypes.ts';
import { linkless, plainText as plain } from '../safeText.ts';
import { askInChat } from './cardForm.ts';
import {
  fieldsOf,
  mistakeIn,
  valueOfChoices,
  valueOfText,
  type Field,
  type FieldMistake,
  type FieldValue,
} from './formFields.ts';
import { fillForm, type FieldAnswer } from './formSteps.ts';
import { elicitInCall, type NamesServer } from './inCallElicitation.ts';
import { askToOpen, showWaiting } from './askToOpen.ts';
import { askServerPick } from './serverPick.ts';

const { t } = vscode.l10n;

export { showWaiting };

// Clients render Markdown: what the server says may be some, its name is only a name.
const naming: NamesServer = (server, message) => t('“{0}” asks: {1}', linkless(server), showInvisible(message));

/** Asks where the call that the question is about came from. See `elicitInCall`. */
export function askInCall(question: ServerQuestion, inProgress: CallsInProgress): Promise<JsonObject> | undefined {
  return elicitInCall(question, inProgress, naming);
}

/**
 * Shows what a server asks: a form field by field, or an address before it is opened. Closing is neither yes nor no.
 * @param context of the call that it is about, where that is sure: a form begins where it came from
 */
export async function askServerQuestion(question: ServerQuestion, context: unknown): Promise<JsonObject> {
  return question.params['mode'] === 'url' ? askToOpen(question) : askForm(question, context);
}

async function askForm(question: ServerQuestion, context: unknown): Promise<JsonObject> {
  const fields = fieldsOf(question.params['requestedSchema']);
  for (;;) {
    const begin = (await askInChat(question, fields, context)) ?? (await askToBegin(question, fields));
    if (begin !== 'fill-in') return begin;
    const filled = await fillForm(fields, (field, index, known) =>
      askField(question, field, `${index + 1}/${fields.length}`, known),
    );
    if (filled === 'cancel' || filled === 'decline') return { action: filled };
    if (filled !== 'back') return { action: 'accept', content: filled };
  }
}

async function askToBegin(question: ServerQuestion, fields: readonly Field[]): Promise<JsonObject | 'fill-in'> {
  const begin = await askServerPick(question, t('“{0}” asks for information', plain(question.server.name)), [
    { label: t('Answer…'), description: t('{0} fields', fields.length), value: 'accept' },
    { label: t('Decline'), description: t('tells the server that you declined'), value: 'decline' },
  ]);
  return begin === 'accept' ? 'fill-in' : { action: begin ?? 'cancel' };
}

function askField(
  question: ServerQuestion,
  field: Field,
  step: string,
  known: FieldValue | undefined,
): Promise<FieldAnswer> {
  switch (field.kind) {
    case 'text':
    case 'number':
      return typed(question, field, step, known);
    case 'boolean':
      return chosen(question, field, step, [
        { label: t('Yes'), value: true, picked: known === true },
        { label: t('No'), value: false, picked: known !== true },
      ]);
    case 'choice':
      return chosen(
        question,
        field,
        step,
        field.options.map(({ label, value }) => ({ label: plain(label), value, picked: value === known })),
      );
    case 'choices':
      return several(question, field, step, known);
  }
}

interface Choice extends vscode.QuickPickItem {
  readonly value: FieldValue | undefined;
}

function chosen(
  question: ServerQuestion,
  field: Field,
  step: string,
  choices: readonly Choice[],
): Promise<FieldAnswer> {
  const input = vscode.window.createQuickPick<Choice>();
  input.items = field.required ? choices : [...choices, { label: t('(No answer)'), value: undefined }];
  input.activeItems = input.items.filter(({ picked }) => picked);
  return shown(question, field, step, input, () => {
    const [item] = input.selectedItems;
    return item && { kind: 'value', value: item.value };
  });
}

function several(
  question: ServerQuestion,
  field: Extract<Field, { kind: 'choices' }>,
  step: string,
  known: FieldValue | undefined,
): Promise<FieldAnswer> {
  const input = vscode.window.createQuickPick<Choice>();
  input.canSelectMany = true;
  input.items = field.options.map(({ label, value }) => ({ label: plain(label), value }));
  const before = Array.isArray(known) ? known : [];
  input.selectedItems = input.items.filter(({ value }) => before.includes(value));
  return shown(question, field, step, input, () => {
    const chosen = input.selectedItems.map(({ value }) => String(value));
    const taken = valueOfChoices(field, chosen);
    if (taken) return { kind: 'value', ...taken };
    input.title = `${titleOf(question, field, step)} ${t('Select {0} to {1} items.', field.least, field.most)}`;
    return undefined;
  });
}

function typed(
  question: ServerQuestion,
  field: Extract<Field, { kind: 'text' | 'number' }>,
  step: string,
  known: FieldValue | undefined,
): Promise<FieldAnswer> {
  const input = vscode.window.createInputBox();
  input.value = typeof known === 'string' || typeof known === 'number' ? String(known) : '';
  input.prompt = field.description === undefined ? plain(field.title) : plain(field.description);
  input.onDidChangeValue((value) => {
    const mistake = mistakeIn(field, value);
    input.validationMessage = mistake && sentenceOf(mistake);
  });
  return shown(question, field, step, input, () => {
    const mistake = mistakeIn(field, input.value);
    input.validationMessage = mistake && sentenceOf(mistake);
    return mistake ? undefined : { kind: 'value', value: valueOfText(field, input.value) };
  });
}

function titleOf({ server }: ServerQuestion, { title, required }: Field, step: string): string {
  return `${t('{0} asks', plain(server.name))}: ${plain(title)}${required ? ' *' : ''} (${step})`;
}

/** Shows an input for a field until it is accepted with an answer, left by *back*, declined, or closed. */
async function shown(
  question: ServerQuestion,
  field: Field,
  step: string,
  input: vscode.QuickPick<Choice> | vscode.InputBox,
  accept: () => FieldAnswer | undefined,
): Promise<FieldAnswer> {
  input.title = titleOf(question, field, step);
  input.placeholder = plain(field.description ?? '');
  input.ignoreFocusOut = true;
  const decline: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('circle-slash'), tooltip: t('Decline') };
  input.buttons = [vscode.QuickInputButtons.Back, decline];
  const aborted = onAbort(question.signal, () => input.hide());
  try {
    return await new Promise<FieldAnswer>((resolve) => {
      input.onDidTriggerButton((button) => resolve({ kind: button === decline ? 'decline' : 'back' }));
      input.onDidHide(() => resolve({ kind: 'cancel' }));
      input.onDidAccept(() => {
        const answer = accept();
        if (answer) resolve(answer);
      });
      input.show();
    });
  } finally {
    aborted.dispose();
    input.dispose();
  }
}

function sentenceOf(mistake: FieldMistake): string {
  switch (mistake.rule) {
    case 'required':
      return t('Enter a value.');
    case 'number':
      return t('Enter a number.');
    case 'integer':
      return t('Enter a whole number.');
    case 'minimum':
      return t('Enter {0} or more.', mistake.limit);
    case 'maximum':
      return t('Enter {0} or less.', mistake.limit);
    case 'minLength':
      return t('Enter at least {0} characters.', mistake.limit);
    case 'maxLength':
      return t('Enter at most {0} characters.', mistake.limit);
    case 'format':
      return formatSentence(mistake.format);
  }
}

function formatSentence(format: string): string {
  switch (format) {
    case 'email':
      return t('Enter a valid email address.');
    case 'uri':
      return t('Enter a valid URL.');
    case 'date':
      return t('Enter a date such as {0}.', '2026-01-31');
    case 'date-time':
      return t('Enter a date and time such as {0}.', '2026-01-31T09:30:00Z');
    default:
      return t('Enter a value in the format {0}.', format);
  }
}
