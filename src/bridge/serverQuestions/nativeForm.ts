import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json/json.ts';
import type { CallsInProgress } from '../../calls/scheduling/callsInProgress.ts';
import type { ServerQuestion } from '../../connection/serverQuestionTypes.ts';
import { linkless, linklessLines } from '../text/markdownText.ts';
import { plainText as plain } from '../text/safeText.ts';
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
import type { InputTurn, InputTurns } from '../dialogs/inputTurns.ts';
import { showInput } from '../dialogs/showInput.ts';

const { t } = vscode.l10n;

export { showWaiting };

// Clients render Markdown: what the server says may be some, its name is only a name.
const naming: NamesServer = (server, message) => t('“{0}” asks: {1}', linkless(server), linklessLines(message));

/** Asks where the call that the question is about came from. See `elicitInCall`. */
export function askInCall(question: ServerQuestion, inProgress: CallsInProgress): Promise<JsonObject> | undefined {
  return elicitInCall(question, inProgress, naming);
}

/** Where a server's question comes up. */
export interface QuestionPlace {
  readonly turns: InputTurns;
  /** Of the call that it is about, where that is sure: a form begins where it came from. */
  readonly chatToken: unknown;
}

/** Shows what a server asks: a form field by field, or an address before it is opened. Closing is neither yes nor no. */
export async function askServerQuestion(question: ServerQuestion, place: QuestionPlace): Promise<JsonObject> {
  return question.params['mode'] === 'url' ? askToOpen(question, place.turns) : askForm(question, place);
}

async function askForm(question: ServerQuestion, { turns, chatToken }: QuestionPlace): Promise<JsonObject> {
  const fields = fieldsOf(question.params['requestedSchema']);
  for (;;) {
    // At once where it doesn't come from a chat: questions take their turns as they come.
    const inChat = chatToken === undefined ? undefined : await askInChat(question, fields, chatToken);
    if (inChat !== undefined && inChat !== 'fill-in') return inChat;
    const filled = await turns.run(question.signal, async (turn) => {
      const begin = inChat ?? (await askToBegin(question, turn, fields));
      if (begin !== 'fill-in') return begin;
      return fillForm(fields, (field, index, known) =>
        askField({ question, turn, field, step: `${index + 1}/${fields.length}` }, known),
      );
    });
    if (filled === 'cancel' || filled === 'decline') return { action: filled };
    if (filled !== 'back') return 'action' in filled ? filled : { action: 'accept', content: filled };
  }
}

async function askToBegin(
  question: ServerQuestion,
  turn: InputTurn,
  fields: readonly Field[],
): Promise<'decline' | 'cancel' | 'fill-in'> {
  const begin = await askServerPick(question, turn, t('“{0}” asks for information', plain(question.server.name)), [
    { label: t('Answer…'), description: t('{0} fields', fields.length), value: 'fill-in' as const },
    { label: t('Decline'), description: t('tells the server that you declined'), value: 'decline' as const },
  ]);
  return begin ?? 'cancel';
}

/** A field of a form that is asked for. */
interface AskedField<F extends Field = Field> {
  readonly question: ServerQuestion;
  readonly turn: InputTurn;
  readonly field: F;
  /** Its number and how many there are. */
  readonly step: string;
}

function askField(asked: AskedField, known: FieldValue | undefined): Promise<FieldAnswer> {
  const { field } = asked;
  switch (field.kind) {
    case 'text':
    case 'number':
      return typed({ ...asked, field }, known);
    case 'boolean':
      return chosen(asked, [
        { label: t('Yes'), value: true, picked: known === true },
        { label: t('No'), value: false, picked: known !== true },
      ]);
    case 'choice':
      return chosen(
        asked,
        field.options.map(({ label, value }) => ({ label: plain(label), value, picked: value === known })),
      );
    case 'choices':
      return several({ ...asked, field }, known);
  }
}

interface Choice extends vscode.QuickPickItem {
  readonly value: FieldValue | undefined;
}

/** An input for a field, and what was entered when it is accepted; `undefined`: it stays open. */
interface FieldInput {
  readonly input: vscode.QuickPick<Choice> | vscode.InputBox;
  readonly accept: () => FieldAnswer | undefined;
}

function chosen(asked: AskedField, choices: readonly Choice[]): Promise<FieldAnswer> {
  return shown(asked, () => {
    const input = vscode.window.createQuickPick<Choice>();
    input.items = asked.field.required ? choices : [...choices, { label: t('(No answer)'), value: undefined }];
    input.activeItems = input.items.filter(({ picked }) => picked);
    const accept = (): FieldAnswer | undefined => {
      const [item] = input.selectedItems;
      return item && { kind: 'value', value: item.value };
    };
    return { input, accept };
  });
}

function several(
  asked: AskedField<Extract<Field, { kind: 'choices' }>>,
  known: FieldValue | undefined,
): Promise<FieldAnswer> {
  const { field } = asked;
  return shown(asked, () => {
    const input = vscode.window.createQuickPick<Choice>();
    input.canSelectMany = true;
    input.items = field.options.map(({ label, value }) => ({ label: plain(label), value }));
    const before = Array.isArray(known) ? known : [];
    input.selectedItems = input.items.filter(({ value }) => before.includes(value));
    const accept = (): FieldAnswer | undefined => {
      const taken = valueOfChoices(
        field,
        input.selectedItems.map(({ value }) => String(value)),
      );
      if (taken) return { kind: 'value', ...taken };
      input.title = `${titleOf(asked)} ${t('Select {0} to {1} items.', field.least, field.most)}`;
      return undefined;
    };
    return { input, accept };
  });
}

function typed(
  asked: AskedField<Extract<Field, { kind: 'text' | 'number' }>>,
  known: FieldValue | undefined,
): Promise<FieldAnswer> {
  const { field } = asked;
  return shown(asked, () => {
    const input = vscode.window.createInputBox();
    input.value = typeof known === 'string' || typeof known === 'number' ? String(known) : '';
    input.prompt = field.description === undefined ? plain(field.title) : plain(field.description);
    const check = (value: string): FieldMistake | undefined => {
      const mistake = mistakeIn(field, value);
      input.validationMessage = mistake && sentenceOf(mistake);
      return mistake;
    };
    input.onDidChangeValue(check);
    const accept = (): FieldAnswer | undefined =>
      check(input.value) ? undefined : { kind: 'value', value: valueOfText(field, input.value) };
    return { input, accept };
  });
}

function titleOf({ question, field: { title, required }, step }: AskedField): string {
  return `${t('{0} asks', plain(question.server.name))}: ${plain(title)}${required ? ' *' : ''} (${step})`;
}

/** Shows an input for a field until it is accepted with an answer, left by *back*, declined, or closed. */
async function shown(asked: AskedField, make: () => FieldInput): Promise<FieldAnswer> {
  const { turn, question, field } = asked;
  const answer = await showInput<FieldAnswer>({ turn, signal: question.signal }, (settle) => {
    const { input, accept } = make();
    input.title = titleOf(asked);
    input.placeholder = plain(field.description ?? '');
    const { Back: back } = vscode.QuickInputButtons;
    const decline: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('circle-slash'), tooltip: t('Decline') };
    input.buttons = [back, decline];
    input.onDidTriggerButton((button) => {
      if (button === decline) settle({ kind: 'decline' });
      if (button === back) settle({ kind: 'back' });
    });
    input.onDidAccept(() => {
      const taken = accept();
      if (taken) settle(taken);
    });
    return input;
  });
  return answer ?? { kind: 'cancel' };
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
