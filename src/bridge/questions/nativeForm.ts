import * as vscode from 'vscode';
import { onAbort } from '../../base/async.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ServerQuestion } from '../../connection/types.ts';
import { plainText as plain } from '../plainText.ts';
import { fieldsOf, mistakeIn, valueOfText, type Field, type FieldMistake, type FieldValue } from './form.ts';
import { fillForm, type FieldAnswer } from './formSteps.ts';

const { t } = vscode.l10n;

/** Shows what a server asks: a form field by field, or an address before it is opened. Closing is neither yes nor no. */
export async function askServerQuestion(question: ServerQuestion): Promise<JsonObject> {
  return question.params['mode'] === 'url' ? askToOpen(question) : askForm(question);
}

async function askForm(question: ServerQuestion): Promise<JsonObject> {
  const fields = fieldsOf(question.params['requestedSchema']);
  for (;;) {
    const begin = await pick(question, [
      { label: t('Answer…'), description: t('{0} fields', fields.length), value: 'accept' },
      { label: t('Decline'), description: t('the server is told that you said no'), value: 'decline' },
    ]);
    if (begin !== 'accept') return { action: begin ?? 'cancel' };
    const filled = await fillForm(fields, (field, index, known) =>
      askField(question, field, `${index + 1}/${fields.length}`, known),
    );
    if (filled === 'cancel') return { action: 'cancel' };
    if (filled !== 'back') return { action: 'accept', content: filled };
  }
}

async function askToOpen(question: ServerQuestion): Promise<JsonObject> {
  const url = typeof question.params['url'] === 'string' ? question.params['url'] : '';
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return { action: 'decline' };
  const answer = await pick(question, [
    { label: t('Decline'), description: t('nothing is opened'), value: 'decline' },
    { label: t('Open in the Browser'), detail: plain(new URL(url).href), value: 'accept' },
  ]);
  if (answer !== 'accept') return { action: answer ?? 'cancel' };
  const opened = await vscode.env.openExternal(vscode.Uri.parse(url, true));
  return { action: opened ? 'accept' : 'cancel' };
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
  input.items = field.required ? choices : [...choices, { label: t('(no answer)'), value: undefined }];
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
    const values = input.selectedItems.map(({ value }) => String(value));
    if (values.length >= field.least && values.length <= field.most) return { kind: 'value', value: values };
    input.placeholder = t('Choose {0} to {1}.', field.least, field.most);
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

/** Shows an input for a field until it is accepted with an answer, left by *back*, or closed. */
async function shown(
  { server, signal }: ServerQuestion,
  field: Field,
  step: string,
  input: vscode.QuickPick<Choice> | vscode.InputBox,
  accept: () => FieldAnswer | undefined,
): Promise<FieldAnswer> {
  input.title = `${t('{0} asks', plain(server.name))}: ${plain(field.title)} (${step})`;
  input.placeholder = plain(field.description ?? '');
  input.ignoreFocusOut = true;
  input.buttons = [vscode.QuickInputButtons.Back];
  const aborted = onAbort(signal, () => input.hide());
  try {
    return await new Promise<FieldAnswer>((resolve) => {
      input.onDidTriggerButton(() => resolve({ kind: 'back' }));
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

interface Answer extends vscode.QuickPickItem {
  readonly value: 'accept' | 'decline';
}

/** The question itself, with its server named. */
async function pick(
  { server, params, signal }: ServerQuestion,
  items: readonly Answer[],
): Promise<Answer['value'] | undefined> {
  const input = vscode.window.createQuickPick<Answer>();
  input.title = t('The MCP server {0} asks', plain(server.name));
  input.placeholder = plain(typeof params['message'] === 'string' ? params['message'] : '');
  input.items = items;
  input.ignoreFocusOut = true;
  const aborted = onAbort(signal, () => input.hide());
  try {
    return await new Promise((resolve) => {
      input.onDidAccept(() => resolve(input.selectedItems[0]?.value));
      input.onDidHide(() => resolve(undefined));
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
      return t('This is needed.');
    case 'number':
      return t('Not a number.');
    case 'integer':
      return t('Not a whole number.');
    case 'minimum':
      return t('At least {0}.', mistake.limit);
    case 'maximum':
      return t('At most {0}.', mistake.limit);
    case 'minLength':
      return t('At least {0} characters.', mistake.limit);
    case 'maxLength':
      return t('At most {0} characters.', mistake.limit);
    case 'format':
      return t('Not in the form {0}.', mistake.format);
  }
}
