import * as vscode from 'vscode';
import { underlyingOf } from '../../catalog/catalogTool.ts';
import type { Answer, Question } from '../../calls/callTypes.ts';
import { foldsArguments, wholeArgumentText } from '../../calls/arguments/argumentText.ts';
import { planText } from '../../calls/plan/planText.ts';
import { showReadOnlyText } from '../readOnlyText.ts';
import { listLines } from '../dialogs/dialogLines.ts';
import { openFileDiff } from './openFileDiff.ts';
import { shownArguments, type ShownArgument } from './shownArguments.ts';
import { fenced, inlineCode } from '../text/markdownText.ts';
import { escaped, plainLine, plainText } from '../text/safeText.ts';
import { keyArgument, withoutKey } from './keyArgument.ts';
import { MAX_TITLE, titleNames } from '../text/titleNames.ts';
import { toolWarning } from '../text/warningText.ts';
import { localized } from '../text/localized.ts';

/** `message`: deny, and tell the model why. `show`: show all arguments, and ask again. */
export type ButtonAnswer = Answer | 'message' | 'show';

/** The longest name of an agent outside the editor that is shown whole, in UTF-16 units. */
const MAX_CALLER = 60;
/** The longest name of an account, in UTF-16 units. */
const MAX_ACCOUNT = 100;

export interface AnswerButton {
  readonly answer: ButtonAnswer;
  readonly label: string;
  readonly description: string;
}

/** The answers that a question offers, in the order shown. */
export function buttonsOf(question: ButtonQuestion): readonly AnswerButton[] {
  const { t } = vscode.l10n;
  const answers = answersTo(question);
  if (!callsOf(question).some(({ shownArgs }) => foldsArguments(shownArgs))) return answers;
  return [
    ...answers,
    { answer: 'show', label: t('Show All Arguments'), description: t('open them in the editor, then answer') },
  ];
}

/** Shows the whole arguments in the editor. */
export async function showAllArguments(question: Question): Promise<void> {
  const { batch, shownArgs } = question;
  const text = batch
    ? planText(batch.map(({ tool, shownArgs: args }) => ({ tool: tool.name, serverName: tool.serverName, args })))
    : wholeArgumentText(shownArgs);
  await showReadOnlyText(`${batch ? questionTitle(question) : allowTitle(question)}${batch ? '.txt' : '.json'}`, text);
}

type ButtonQuestion = Pick<Question, 'lasting' | 'sessionOnly' | 'openWorld' | 'shownArgs' | 'batch' | 'surface'>;

/** The calls that a question is about. */
function callsOf<Call extends Pick<Question, 'batch'>>(question: Call): readonly (Call | Question)[] {
  return question.batch ?? [question];
}

function answersTo(question: ButtonQuestion): readonly AnswerButton[] {
  const buttons = allAnswers(question);
  if (question.sessionOnly !== true) return buttons;
  const description = sessionOf(question);
  return buttons
    .filter(({ answer }) => answer !== 'always' && answer !== 'alwaysArgs')
    .map((button) => (button.answer === 'session' ? { ...button, description } : button));
}

/** What an answer that ends with the window is for, where it isn't for the editor's own agents. */
function sessionOf({ surface, openWorld }: ButtonQuestion): string {
  const { t } = vscode.l10n;
  if (surface === 'app')
    return openWorld === true
      ? t('reading tools of this server, for its apps, until the window closes')
      : t('this tool, for apps of this server, until the window closes');
  return openWorld === true
    ? t('reading tools of this server, for agents outside the editor, until the window closes')
    : t('for agents outside the editor, until the window closes');
}

function allAnswers({ lasting, openWorld, batch }: ButtonQuestion): readonly AnswerButton[] {
  const { t } = vscode.l10n;
  const once: AnswerButton = batch
    ? { answer: 'once', label: t('Run All {0} Calls', batch.length), description: t('these calls only, as shown') }
    : { answer: 'once', label: t('Allow Once'), description: t('this call only') };
  // The chat's card shows two buttons and puts the rest in a menu: a denial must not need the menu.
  const deny: AnswerButton = {
    answer: 'deny',
    label: t('Deny'),
    description: t('don’t run'),
  };
  const message: AnswerButton = {
    answer: 'message',
    label: t('Deny with a Message…'),
    description: t('don’t run, and tell the model why'),
  };
  if (!lasting) return [once, deny, message];
  if (openWorld === true) {
    return [
      {
        answer: 'session',
        label: t('Allow in This Session'),
        description: t('reading tools of this server, until the window closes'),
      },
      deny,
      {
        answer: 'always',
        label: t('Always for This Server'),
        description: t('reading tools of this server, in this workspace'),
      },
      message,
    ];
  }
  return [
    once,
    deny,
    {
      answer: 'session',
      label: t('Allow in This Session'),
      description: t('this tool, until the window closes'),
    },
    { answer: 'always', label: t('Always Allow This Tool'), description: t('this tool only, in this workspace') },
    {
      answer: 'alwaysArgs',
      label: t('Always Allow with These Arguments'),
      description: t('this tool with exactly these arguments, in this workspace'),
    },
    message,
  ];
}

/** The answer that a label stands for; `undefined` for any text that is none of ours. */
export function answerOf(label: string | undefined, question: Question): ButtonAnswer | undefined {
  return buttonsOf(question).find((button) => button.label === label)?.answer;
}

/** Tool, server, and the argument that says most: all that a screen reader announces of a card. */
export function questionTitle(question: Question): string {
  const { batch } = question;
  if (batch) return vscode.l10n.t('Run {0} calls of a script?', batch.length);
  const asked = allowTitle(question);
  const key = titleKey(question);
  return key === undefined ? asked : `${asked} ${key}`;
}

/** What the title says of an argument. */
function titleKey(question: Question): string | undefined {
  const room = MAX_TITLE - Array.from(allowTitle(question)).length - 1;
  return keyArgument(question.shownArgs, underlyingOf(question.tool).inputSchema['required'], room);
}

function allowTitle({ tool }: Question): string {
  const { title, name } = underlyingOf(tool);
  return vscode.l10n.t('Allow “{0}” on {1}?', ...titleNames(title ?? name, tool.serverName));
}

/** The title as Markdown that nothing in it can change. */
export function questionHeading(question: Question): string {
  return `**${escaped(questionTitle(question))}**`;
}

/** A part of a question. */
type QuestionPart =
  | { readonly kind: 'arguments'; readonly all: readonly ShownArgument[] }
  | { readonly kind: 'line'; readonly text: string; readonly isWarning: boolean }
  | { readonly kind: 'names'; readonly tool: string; readonly server: string }
  | { readonly kind: 'code'; readonly heading: string; readonly language: string; readonly text: string };

/**
 * What the user has to know, most important first, since a card shows only its beginning without scrolling.
 * @param titled what the title says of an argument, where all of the title is seen
 */
function partsOf(question: Question, titled?: string): readonly QuestionPart[] {
  const { tool, args, reason, flagged, caller, account } = question;
  const { t } = vscode.l10n;
  const { name, description, annotations } = underlyingOf(tool);
  const line = (text: string, isWarning = false): QuestionPart => ({ kind: 'line', text, isWarning });
  const change = openFileDiff(args);
  const said = firstSentence(description);
  const all = withoutKey(shownArguments(question.shownArgs), titled);
  return [
    ...(Object.keys(args).length === 0 ? [line(t('No arguments.'))] : []),
    ...(all.length > 0 ? [{ kind: 'arguments', all } as const] : []),
    ...(change
      ? [{ kind: 'code', heading: t('Changes to {0}:', change.file), language: 'diff', text: change.diff } as const]
      : []),
    ...question.warnings.map((warning) => line(toolWarning(tool.serverName, name, warning), true)),
    ...(caller === undefined ? [] : [line(callerText(question))]),
    ...(account === undefined ? [] : [line(t('As the account {0}.', account.slice(0, MAX_ACCOUNT)))]),
    line(sentence(localized(reason)), flagged || annotations.destructiveHint === true),
    { kind: 'names', tool: name, server: tool.serverName },
    ...(said ? [line(t('The server describes it as: {0}', said))] : []),
  ];
}

/** The question as Markdown: the arguments as they would be sent, why it is asked, and what the server says. */
export function questionMarkdown(question: Question): string {
  if (question.batch) return question.batch.map(callMarkdown).join('\n\n');
  return bodyMarkdown(question, titleKey(question));
}

/** One of several calls. */
function callMarkdown(question: Question, index: number): string {
  return `**${index + 1}. ${escaped(callTitle(question))}**\n\n${bodyMarkdown(question)}`;
}

function callTitle({ tool }: Question): string {
  const { title, name } = underlyingOf(tool);
  return vscode.l10n.t('“{0}” on {1}', ...titleNames(title ?? name, tool.serverName));
}

function bodyMarkdown(question: Question, titled?: string): string {
  const { t } = vscode.l10n;
  const paragraphs = partsOf(question, titled).map((part) => {
    switch (part.kind) {
      case 'arguments':
        return part.all.map(argumentMarkdown).join('\n\n');
      case 'line':
        return `${part.isWarning ? '⚠️ ' : ''}${escaped(part.text)}`;
      case 'names':
        return t('Tool {0} of the server {1}', inlineCode(part.tool), inlineCode(part.server));
      case 'code':
        return `${escaped(part.heading)}\n${fenced(part.language, part.text)}`;
    }
  });
  return paragraphs.join('\n\n');
}

/** The same as lines of plain text that fit a list, which cuts what is longer. */
export function questionLines(question: Question): readonly string[] {
  const { batch } = question;
  if (!batch) {
    // A list cuts a title that is wider than its rows.
    const isWhole = listLines([questionTitle(question)]).length === 1;
    return listLines(wholeLines(question, isWhole ? titleKey(question) : undefined));
  }
  return listLines(
    batch.flatMap((each, index) => [`${index + 1}. ${plainText(callTitle(each))}`, ...wholeLines(each)]),
  );
}

function wholeLines(question: Question, titled?: string): readonly string[] {
  const { t } = vscode.l10n;
  return partsOf(question, titled).flatMap((part) => {
    switch (part.kind) {
      case 'arguments':
        return part.all.flatMap(argumentLines);
      case 'line':
        return [`${part.isWarning ? '$(warning) ' : ''}${plainText(part.text)}`];
      case 'names':
        return [t('Tool {0} of the server {1}', plainText(part.tool), plainText(part.server))];
      case 'code':
        return [plainText(part.heading), ...codeLines(part.text)];
    }
  });
}

/** What fits a line wraps, unlike a block of code: the end of a path matters as much as its beginning. */
function argumentMarkdown({ name, lines }: ShownArgument): string {
  const [first = ''] = lines;
  const heading = name === undefined ? '' : `${escaped(name)}: `;
  return lines.length > 1 ? `${heading}\n${fenced('json', lines.join('\n'))}` : heading + inlineCode(spaced(first));
}

function argumentLines({ name, lines: [first = '', ...rest] }: ShownArgument): readonly string[] {
  return codeLines([name === undefined ? first : `${name}: ${first}`, ...rest].join('\n'));
}

function callerText({ surface, caller = '' }: Question): string {
  const { t } = vscode.l10n;
  // A part of ours, which the user has called it from.
  if (surface === 'editor') return t('Called from: {0}', caller);
  if (surface === 'app') return t('Called by the app of {0}, and not by the model.', caller);
  return surface === 'outside'
    ? t('Called by an agent outside the editor that calls itself {0}.', caller.slice(0, MAX_CALLER))
    : t('Called by the extension {0}.', caller);
}

function codeLines(text: string): readonly string[] {
  return text.split('\n').map((line) => plainLine(spaced(line)));
}

/** With spaces that are drawn, however many there are. */
function spaced(line: string): string {
  return line.replaceAll('  ', '\u00a0\u00a0');
}

/** A reason is a clause, as it is told to the model after “because”. */
function sentence(reason: string): string {
  return vscode.l10n.t('{0}.', `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`);
}

function firstSentence(text: string | undefined): string {
  const line = (text ?? '').trim().split(/(?<=[.!?])\s|\n/)[0] ?? '';
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
