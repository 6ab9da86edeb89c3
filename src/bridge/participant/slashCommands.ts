import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { effectOf } from '../../catalog/effect.ts';
import { assessTool } from '../../catalog/quality.ts';
import { summarise } from '../../catalog/summaries.ts';
import { definitionText, estimateTokens } from '../../catalog/tokens.ts';
import type { Host } from '../../host.ts';
import { describeState, type ServerView } from '../../serverView.ts';
import { table } from './markdown.ts';

/** The slash commands, as the manifest declares them. */
export const SLASH_COMMANDS = ['servers', 'connect', 'disconnect', 'tools', 'search', 'stats'] as const;
export type SlashCommand = (typeof SLASH_COMMANDS)[number];

const SEARCH_LIMIT = 10;
const { t } = vscode.l10n;

/** Runs a slash command and gives its answer as Markdown. */
export async function runSlashCommand(
  host: Host,
  command: SlashCommand,
  argument: string,
  signal: AbortSignal,
): Promise<string> {
  switch (command) {
    case 'servers':
      return servers(host);
    case 'connect':
    case 'disconnect':
      return connection(host, command, argument);
    case 'tools':
      return tools(host, argument);
    case 'search':
      return search(host, argument, signal);
    case 'stats':
      return stats(host);
  }
}

function servers({ views }: Host): string {
  if (views.length === 0) return t('No server is configured.');
  const connected = views.filter(({ state }) => state.kind === 'connected');
  const count = connected.reduce((sum, view) => sum + view.tools.length, 0);
  const rows = views.map(({ definition, state, tools }) => [
    definition.name,
    definition.entry.scope,
    describeState(state),
    String(tools.length),
  ]);
  const summary = t('{0} of {1} servers are connected, with {2} tools.', connected.length, views.length, count);
  return `${summary}\n\n${table([t('Server'), t('Scope'), t('State'), t('Tools')], rows)}`;
}

async function connection(host: Host, command: 'connect' | 'disconnect', name: string): Promise<string> {
  const view = named(host, name);
  if (!view) return whichServer(host, name);
  const { id } = view.definition;
  try {
    if (command === 'connect') await host.pool.connect(id);
    else await host.pool.disconnect(id);
  } catch (error) {
    return messageOf(error);
  }
  const state = host.view(id)?.state;
  return `${name}: ${state ? describeState(state) : ''}`;
}

function tools(host: Host, name: string): string {
  if (name !== '' && !named(host, name)) return whichServer(host, name);
  const listed = host.catalog.tools.filter(({ serverName }) => name === '' || serverName === name);
  if (listed.length === 0) return t('No tool is available.');
  const rows = listed.map((entry) => {
    const siblings = host.catalog.toolsOf(entry.serverId).map(({ tool }) => tool);
    const { findings } = assessTool(entry.tool, siblings);
    return [entry.name, effectOf(entry.tool.annotations), summarise(entry), String(findings.length)];
  });
  return table([t('Tool'), t('Effect'), t('What it does'), t('Findings')], rows);
}

async function search(host: Host, query: string, signal: AbortSignal): Promise<string> {
  if (query === '') return t('Say what to look for: /search send a message');
  const { hits, total } = await host.search({ query, limit: SEARCH_LIMIT }, signal);
  host.calls.tell({ type: 'tool.search', resultCount: hits.length, total });
  if (hits.length === 0) return t('No tool fits “{0}”.', query);
  const rows = hits.map(({ tool, summary }) => [tool.name, effectOf(tool.tool.annotations), summary]);
  return `${t('{0} of {1} tools that fit.', hits.length, total)}\n\n${table([t('Tool'), t('Effect'), t('What it does')], rows)}`;
}

function stats(host: Host): string {
  const byServer = Map.groupBy(host.catalog.tools, ({ serverName }) => serverName);
  const rows = [...byServer].map(([serverName, entries]) => {
    const tokens = entries.reduce((sum, entry) => sum + estimateTokens(definitionText(entry)), 0);
    return [serverName, String(entries.length), String(tokens)];
  });
  const costs = table([t('Server'), t('Tools'), t('Tokens of their definitions')], rows);
  const calls = host.calls.history.statistics;
  if (calls.length === 0) return `${costs}\n\n${t('No tool was called yet.')}`;
  const called = calls.map(({ tool, count, errors, p50Ms }) => [tool, `${count}`, `${errors}`, `${Math.round(p50Ms)}`]);
  return `${costs}\n\n${table([t('Tool'), t('Calls'), t('Errors'), t('Median, ms')], called)}`;
}

function named({ views }: Host, name: string): ServerView | undefined {
  return views.find(({ definition }) => definition.name === name);
}

function whichServer({ views }: Host, name: string): string {
  const names = views.map(({ definition }) => definition.name).join(', ');
  return name === '' ? t('Say which server: {0}', names) : t('There is no server “{0}”. There are: {1}', name, names);
}
