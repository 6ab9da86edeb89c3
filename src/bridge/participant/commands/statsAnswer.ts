import * as vscode from 'vscode';
import { contextStats, type Cost } from '../../../catalog/exposure/contextStats.ts';
import type { ExposureSetting } from '../../../catalog/exposure/toolExposure.ts';
import { instructionsFor } from '../../../catalog/exposure/instructions.ts';
import { estimateTokens, type TokenCounter } from '../../../catalog/exposure/toolDefinition.ts';
import { instructedServers } from '../../instructedServers.ts';
import type { Answer, CommandContext } from './answer.ts';
import { commandLink, table } from '../markdown.ts';
import { toolSet } from '../requestTools.ts';
import { unavailableServers } from '../../../host/unavailableServers.ts';
import { escaped } from '../../text/safeText.ts';

const { t } = vscode.l10n;

/** `/stats`: what the tools cost of the chosen model's context here, what is saved, and what calls cost. */
export async function statsAnswer({ host, request }: CommandContext, setting: ExposureSetting): Promise<Answer> {
  const { exposure, tools } = toolSet(host, setting, request, await host.calls.scripts());
  const { count, by } = await counterOf(request.model);
  const stats = await contextStats(
    {
      tools: host.catalog.tools,
      loaded: new Set(tools.map(({ name }) => name)),
      instructions: instructionsFor(instructedServers(host), exposure, unavailableServers(host)),
    },
    count,
  );
  const row = (label: string, cost: Cost): string[] => [label, `${cost.count}`, `${Math.round(cost.tokens)}`];
  const summary = table(
    ['', t('Number'), t('Tokens')],
    [
      row(t('Tool definitions sent'), stats.loaded),
      row(t('Servers in the instructions'), stats.instructions),
      row(t('One line per tool'), stats.summaries),
      row(t('All tool definitions'), stats.all),
    ],
  );
  const servers = table(
    [t('Server'), t('Tools'), t('Definition tokens'), t('Loaded')],
    stats.servers.map(({ serverName, definitions, tools: rows }) => [
      serverName,
      `${definitions.count}`,
      `${Math.round(definitions.tokens)}`,
      `${rows.filter(({ isLoaded }) => isLoaded).length}`,
    ]),
  );
  return {
    markdown: [
      `${by} ${t('Context saved: {0}%', stats.savedPercent.toFixed(1))}`,
      summary,
      servers,
      callsText(host.calls.history.statistics),
      commandLink(t('Show Context Budget'), 'mcpSwitchboard.showContextBudget').markdown,
    ].join('\n\n'),
  };
}

/** The model's own counter, where it works. */
async function counterOf(
  model: vscode.LanguageModelChat,
): Promise<{ readonly count: TokenCounter; readonly by: string }> {
  try {
    await model.countTokens('x');
    return { count: async (text) => model.countTokens(text), by: escaped(t('Counted by {0}.', model.name)) };
  } catch {
    return { count: estimateTokens, by: t('Estimated: the model doesn’t count tokens.') };
  }
}

function callsText(calls: CommandContext['host']['calls']['history']['statistics']): string {
  if (calls.length === 0) return t('No tools called yet.');
  return table(
    [t('Tool'), t('Calls'), t('Errors'), t('Median, ms'), t('Tokens in / out')],
    calls.map(({ tool, count, errors, p50Ms, tokensIn, tokensOut }) => [
      tool,
      `${count}`,
      `${errors}`,
      `${Math.round(p50Ms)}`,
      `${tokensIn} / ${tokensOut}`,
    ]),
  );
}
