// Loaded on first use.
import * as vscode from 'vscode';
import { chooseNativeTools } from '../../bridge/gateway/chooseNativeTools.ts';
import { ToolDefinitions } from '../../bridge/gateway/toolDefinitions.ts';
import { showReadOnlyText } from '../../bridge/readOnlyText.ts';
import { readGatewaySettings } from '../../platform/settings/hostSettings.ts';
import { smallestModel } from '../../bridge/usableModels.ts';
import { instructedServers } from '../../bridge/instructedServers.ts';
import { contextStats, type ContextStats, type Cost } from '../../catalog/exposure/contextStats.ts';
import { instructionsFor } from '../../catalog/exposure/instructions.ts';
import { estimateTokens, type TokenCounter } from '../../catalog/exposure/toolDefinition.ts';
import { unavailableServers } from '../../host/absentServers.ts';
import type { Host } from '../../host/host.ts';

/** *Show Context Statistics*: the context cost of the tools, and of all definitions. */
export async function showContextStatistics(host: Host): Promise<void> {
  const { t } = vscode.l10n;
  const title = t('Counting tokens…');
  const content = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
    statisticsText(host),
  );
  await showReadOnlyText(`${t('Context Statistics')}.md`, content);
}

async function statisticsText(host: Host): Promise<string> {
  const { t } = vscode.l10n;
  const { enabled, exposure: setting } = readGatewaySettings();
  const listed = new ToolDefinitions(host.catalog);
  const model = await smallestModel();
  const { decision, names } = chooseNativeTools({
    setting,
    contextTokens: model?.maxInputTokens,
    tools: host.catalog.tools,
    tokensOf: (tool) => listed.tokensOf(tool),
    loaded: host.loaded,
  });
  const counts = model !== undefined && (await canCount(model));
  const count: TokenCounter = counts ? async (text) => model.countTokens(text) : estimateTokens;
  const stats = await contextStats(
    {
      tools: host.catalog.tools,
      loaded: enabled ? names : new Set(),
      instructions: instructionsFor(
        instructedServers(host),
        enabled ? decision.exposure : 'search',
        unavailableServers(host),
      ),
    },
    count,
  );
  const reason = enabled
    ? t('Mode: {0}. {1}', decision.exposure, decision.reason)
    : t('Native tools are off (gateway.enabled).');
  const counter = counts ? t('Counted by {0}.', model.name) : t('Estimated: no model is available to count tokens.');
  return [`# ${t('Context Statistics')}`, reason, counter, summaryTable(stats), ...serverTables(stats), ''].join(
    '\n\n',
  );
}

/** Some models can't count tokens, or not offline. */
async function canCount(model: vscode.LanguageModelChat): Promise<boolean> {
  try {
    return (await model.countTokens('one two three')) > 0;
  } catch {
    return false;
  }
}

function summaryTable({ instructions, summaries, loaded, all, savedPercent }: ContextStats): string {
  const { t } = vscode.l10n;
  const row = (label: string, { count, tokens }: Cost): string => `| ${label} | ${count} | ${Math.round(tokens)} |`;
  return [
    `| | ${t('Number')} | ${t('Tokens')} |`,
    '| --- | ---: | ---: |',
    row(t('Tool definitions sent'), loaded),
    row(t('Servers in the instructions'), instructions),
    row(t('One line per tool'), summaries),
    row(t('All tool definitions'), all),
    '',
    t('Context saved: {0}%', savedPercent.toFixed(1)),
  ].join('\n');
}

function serverTables({ servers }: ContextStats): string[] {
  const { t } = vscode.l10n;
  return servers
    .toSorted((a, b) => b.definitions.tokens - a.definitions.tokens)
    .map(({ serverName, definitions, summaries, tools }) => {
      const cost = t('{0} tools, {1} tokens', definitions.count, Math.round(definitions.tokens));
      const lines = t('one line per tool: {0} tokens', Math.round(summaries.tokens));
      const rows = tools
        .toSorted((a, b) => b.tokens - a.tokens)
        .map(({ name, tokens, isLoaded }) => `| \`${name}\` | ${Math.round(tokens)} | ${isLoaded ? '✓' : ''} |`);
      const head = [`| ${t('Tool')} | ${t('Tokens')} | ${t('Loaded')} |`, '| --- | ---: | --- |'];
      return [`## ${serverName.replaceAll(/[\r\n]+/g, ' ')}`, '', `${cost}; ${lines}`, '', ...head, ...rows].join('\n');
    });
}
