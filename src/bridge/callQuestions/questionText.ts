import * as vscode from 'vscode';
import { underlyingOf } from '../../catalog/catalogTool.ts';
import { argumentText, showInvisible } from '../../calls/arguments/argumentText.ts';
import type { Answer, Question } from '../../calls/callTypes.ts';
import { openFileDiff } from './openFileDiff.ts';
import { toolWarning } from '../warningText.ts';

/** `message`: deny, and then say to the model why. */
export type ButtonAnswer = Answer | 'message';

/** How much of what another agent calls itself is shown. */
const MAX_CALLER = 60;

export interface AnswerButton {
  readonly answer: ButtonAnswer;
  readonly label: string;
  readonly description: string;
}

/** The answers that a question offers, in the order shown. */
export function buttonsOf({ lasting }: Pick<Question, 'lasting'>): readonly AnswerButton[] {
  const { t } = vscode.l10n;
  const once: AnswerButton = { answer: 'once', label: t('Allow Once'), description: t('this call only') };
  // The chat's card shows two buttons and folds the rest into a menu: saying no must never need the menu.
  const deny: AnswerButton = {
    answer: 'deny',
    label: t('Deny'),
    description: t('nothing runs, and the model is told'),
  };
  const message: AnswerButton = {
    answer: 'message',
    label: t('Deny with a Message…'),
    description: t('nothing runs, and the model is told what you say'),
  };
  if (!lasting) return [once, deny, message];
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

export function questionTitle({ tool }: Question): string {
  return vscode.l10n.t(
    'Run {0} of the MCP server {1}?',
    plain(underlyingOf(tool).title ?? underlyingOf(tool).name),
    plain(tool.serverName),
  );
}

/** The same as Markdown that nothing in it can change. */
export function questionHeading(question: Question): string {
  return `**${markdown(questionTitle(question))}**`;
}

/** The question as Markdown: what it does, why it is asked, and the arguments as they would be sent. */
export function questionMarkdown(question: Question): string {
  const { tool, args, reason, flagged, caller } = question;
  const { t } = vscode.l10n;
  const change = openFileDiff(args);
  return [
    `${t('Server')}: ${code(tool.serverName)} · ${t('Tool')}: ${code(underlyingOf(tool).name)}`,
    firstSentence(underlyingOf(tool).description) &&
      `${t('The server says')}: ${markdown(firstSentence(underlyingOf(tool).description))}`,
    ...warningLines(question).map((line) => `⚠️ ${markdown(line)}`),
    caller !== undefined && markdown(callerText(question)),
    `${flagged ? '⚠️ ' : ''}${markdown(t('Asked because {0}.', reason))}`,
    change && `${t('What would change in {0}, which is open', code(change.file))}:\n${fenced('diff', change.diff)}`,
    `${t('Arguments')}:\n${fenced('json', argumentText(args))}`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** The same as lines of plain text. */
export function questionDetail(question: Question): readonly string[] {
  const { tool, args, reason, flagged, caller } = question;
  const { t } = vscode.l10n;
  const change = openFileDiff(args);
  const sentence = firstSentence(underlyingOf(tool).description);
  return [
    `${t('Server')}: ${plain(tool.serverName)}`,
    `${t('Tool')}: ${plain(underlyingOf(tool).name)}`,
    ...(sentence ? [`${t('The server says')}: ${plain(sentence)}`] : []),
    ...warningLines(question).map((line) => `$(warning) ${plain(line)}`),
    ...(caller === undefined ? [] : [plain(callerText(question))]),
    `${flagged ? '$(warning) ' : ''}${plain(t('Asked because {0}.', reason))}`,
    ...(change
      ? [`${t('What would change in {0}, which is open', plain(change.file))}:`, ...codeLines(change.diff)]
      : []),
    `${t('Arguments')}:`,
    ...codeLines(argumentText(args)),
  ];
}

function callerText({ surface, caller = '' }: Question): string {
  const { t } = vscode.l10n;
  return surface === 'gateway'
    ? t('Called by an agent outside the editor that calls itself {0}.', caller.slice(0, MAX_CALLER))
    : t('Called by the extension {0}.', caller);
}

function warningLines({ tool, warnings }: Question): readonly string[] {
  return warnings.map((warning) => toolWarning(tool.serverName, underlyingOf(tool).name, warning));
}

function codeLines(text: string): readonly string[] {
  return text.split('\n').map((line) => plain(line.replaceAll('  ', '\u00a0\u00a0')));
}

/** A block of code whose fence is longer than any in the text, so that the text can't end it. */
function fenced(language: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text, '`') + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Without invisible characters and without `$(icon)` syntax. */
function plain(text: string): string {
  return showInvisible(text.replaceAll(/[\r\n]+/g, ' ')).replaceAll('$(', '$\u200a(');
}

function firstSentence(text: string | undefined): string {
  const line = (text ?? '').trim().split(/(?<=[.!?])\s|\n/)[0] ?? '';
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

function markdown(text: string): string {
  return plain(text).replace(/[\\`*_{}[\]()#+\-.!|<>~&:]/g, '\\$&');
}

function code(text: string): string {
  const clean = plain(text);
  const fence = '`'.repeat(longestRun(clean, '`') + 1);
  return `${fence} ${clean} ${fence}`;
}

function longestRun(text: string, character: string): number {
  let longest = 0;
  let run = 0;
  for (const each of text) {
    run = each === character ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
