import type { ExposureSetting } from '../../../catalog/exposure/toolExposure.ts';
import type { Answer, AnsweredCommand, CommandContext } from './answer.ts';
import { planAnswer } from './planAnswer.ts';
import { addAnswer, connectionAnswer, serversAnswer } from './serverAnswers.ts';
import { statsAnswer } from './statsAnswer.ts';
import { searchAnswer, toolsAnswer } from './toolAnswers.ts';

/** Runs a slash command and gives its answer. */
export async function runSlashCommand(
  command: AnsweredCommand,
  context: CommandContext,
  exposure: ExposureSetting,
): Promise<Answer> {
  switch (command) {
    case 'servers':
      return serversAnswer(context);
    case 'add':
      return addAnswer(context);
    case 'connect':
    case 'disconnect':
      return connectionAnswer(context, command);
    case 'tools':
      return toolsAnswer(context);
    case 'search':
      return searchAnswer(context);
    case 'stats':
      return statsAnswer(context, exposure);
    case 'plan':
      return planAnswer(context);
  }
}
