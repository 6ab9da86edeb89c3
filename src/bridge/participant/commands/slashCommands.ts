import type { ExposureSetting } from '../../../catalog/exposure/toolExposure.ts';
import type { Answer, AnsweredCommand, CommandContext } from './answer.ts';
import { presetAnswer } from './presetAnswer.ts';
import { addAnswer, connectionAnswer, serversAnswer } from './serverAnswers.ts';
import { statsAnswer } from './statsAnswer.ts';
import { searchAnswer, toolsAnswer } from './toolAnswers.ts';
import * as vscode from 'vscode';
import { maskedWithin } from '../../../base/text/maskedWithin.ts';
import { argumentText } from '../../../calls/arguments/argumentText.ts';
import { commandLink, links, table } from '../markdown.ts';
import { escaped } from '../../text/safeText.ts';

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
    case 'preset':
      return presetAnswer(context);
  }
}

const { t } = vscode.l10n;
const MAX_ARGUMENTS = 120;

/** `/plan [on|off]`: whether plan mode is on, and the calls that it holds back. */
async function planAnswer({ host, argument }: CommandContext): Promise<Answer> {
  const { plan } = host.calls;
  if (argument === 'on' || argument === 'off') await plan.setOn(argument === 'on');
  else if (argument !== '') return { markdown: escaped(t('Say /plan, /plan on or /plan off.')) };
  const state = plan.on ? t('Plan mode is on: calls that write are added to the plan.') : t('Plan mode is off.');
  const toggle = commandLink(plan.on ? t('Turn Off') : t('Turn On'), 'mcpSwitchboard.togglePlanMode').markdown;
  const head = `${state} ${toggle}`;
  const followUps = [{ prompt: plan.on ? 'off' : 'on', command: 'plan' }];
  if (plan.queue.length === 0) return { markdown: `${head}\n\n${t('No planned calls.')}`, followUps };
  const rows = plan.queue.map(({ id, tool, args, error }, index) => [
    `${index + 1}`,
    tool,
    argumentText(maskedWithin(args, host.mask)).replaceAll(/\s+/g, ' ').slice(0, MAX_ARGUMENTS),
    error ?? '',
    links(
      commandLink(t('Run'), 'mcpSwitchboard.planRun', { planned: { id } }),
      commandLink(t('Discard'), 'mcpSwitchboard.planDiscard', { planned: { id } }),
    ),
  ]);
  const all = links(
    commandLink(t('Run All'), 'mcpSwitchboard.planRunAll'),
    commandLink(t('Discard All'), 'mcpSwitchboard.planDiscardAll'),
  ).markdown;
  const columns = ['', t('Tool'), t('Arguments'), t('Failed last because'), ''];
  return { markdown: `${head}\n\n${table(columns, rows)}\n\n${all}`, followUps };
}
