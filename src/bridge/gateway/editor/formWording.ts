import * as vscode from 'vscode';
import type { Question } from '../../../calls/callTypes.ts';
import {
  answerOf,
  buttonsOf,
  questionHeading,
  questionMarkdown,
  showAllArguments,
} from '../../callQuestions/questionText.ts';
import type { QuestionWording } from '../brokerCall.ts';

/** The broker's question as a form: what the card says, and its answers, the denial first. */
export const formWording: QuestionWording = {
  choiceOf: (question) => ({
    message: `${questionHeading(question)}\n\n${questionMarkdown(question)}`,
    labels: labelsOf(question),
    field: vscode.l10n.t('Your answer'),
  }),
  answerOf: (label, question) => {
    const answer = answerOf(label, question);
    // A form has one field, so there is no place for a message.
    return answer === 'message' ? 'deny' : answer;
  },
  show: showAllArguments,
};

function labelsOf(question: Question): readonly string[] {
  const buttons = buttonsOf(question).filter(({ answer }) => answer !== 'message');
  const isDenial = ({ answer }: (typeof buttons)[number]): boolean => answer === 'deny';
  return [...buttons.filter(isDenial), ...buttons.filter((button) => !isDenial(button))].map(({ label }) => label);
}
