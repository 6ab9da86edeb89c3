import * as vscode from 'vscode';
import { effectOf, type CatalogTool } from '../../../catalog/catalogTool.ts';
import { type ToolQuality, QualityCache } from '../../../catalog/toolQuality.ts';
import { summarise } from '../../../catalog/exposure/descriptions.ts';
import type { Host } from '../../../host/host.ts';
import type { Answer, CommandContext, FollowUp } from './answer.ts';
import { table } from '../markdown.ts';
import { serverNamed, whichServer } from './serverAnswers.ts';
import { escaped } from '../../text/safeText.ts';

const { t } = vscode.l10n;
const SEARCH_LIMIT = 10;
const MAX_ROWS = 200;
/** How many tools are named with an advice. */
const MAX_NAMES = 5;

/** `/tools [NAME]`: what they may do and how well they are described; of one server, with what to improve. */
export function toolsAnswer({ host, argument }: CommandContext): Answer {
  const view = argument === '' ? undefined : serverNamed(host, argument);
  if (argument !== '' && !view) return whichServer(host, argument, 'tools');
  const listed = view ? host.catalog.toolsOf(view.definition.id) : host.catalog.tools;
  if (listed.length === 0)
    return { markdown: t('No tools available.'), followUps: [{ prompt: '', command: 'servers' }] };
  const book = new QualityCache();
  const qualityOf = (entry: CatalogTool): ToolQuality => book.of(entry, host.catalog.toolsOf(entry.serverId));
  const assessed = listed.slice(0, MAX_ROWS).map((entry) => ({ entry, quality: qualityOf(entry) }));
  const rows = assessed.map(({ entry, quality }) => [
    entry.name,
    effectOf(entry.tool.annotations),
    summarise(entry),
    `${quality.score}`,
  ]);
  const more = listed.length > MAX_ROWS ? `\n\n${t('… and {0} more.', listed.length - MAX_ROWS)}` : '';
  const head = [t('Tool'), t('Effect'), t('What it does'), t('Quality')];
  return {
    markdown: `${table(head, rows)}${more}${view ? findingsText(assessed) : ''}`,
    ...(view ? {} : { followUps: serversOf(host, listed) }),
  };
}

/** What would make the tools of a server easier to use well: each advice, and the tools that it is for. */
function findingsText(assessed: readonly { readonly entry: CatalogTool; readonly quality: ToolQuality }[]): string {
  const findings = assessed.flatMap(({ entry, quality }) =>
    quality.findings.filter(({ points }) => points < 0).map(({ advice }) => ({ name: entry.tool.name, advice })),
  );
  const lines = [...Map.groupBy(findings, ({ advice }) => advice)].map(([advice, group]) => {
    const names = group.slice(0, MAX_NAMES).map(({ name }) => name);
    const more = group.length > MAX_NAMES ? [t('{0} more', group.length - MAX_NAMES)] : [];
    return `- ${escaped(advice)} (${[...names, ...more].map((text) => escaped(text)).join(', ')})`;
  });
  return lines.length === 0 ? '' : `\n\n**${t('What would make them easier to use well')}**\n\n${lines.join('\n')}`;
}

function serversOf({ views }: Host, listed: readonly CatalogTool[]): readonly FollowUp[] {
  const ids = new Set(listed.map(({ serverId }) => serverId));
  return views
    .filter(({ definition }) => ids.has(definition.id))
    .slice(0, 4)
    .map(({ definition }) => ({ prompt: definition.name, command: 'tools' }));
}

/** `/search QUERY`: what fits, which the model then has in its list. */
export async function searchAnswer({ host, argument, signal }: CommandContext): Promise<Answer> {
  if (argument === '') return { markdown: t('Say what to look for: /search send a message') };
  const { hits, total, unavailable } = await host.search({ query: argument, limit: SEARCH_LIMIT }, signal);
  host.calls.tell({ type: 'tool.search', resultCount: hits.length, total });
  const missing = unavailable.map(({ serverName, state }) => `- ${escaped(`${serverName}: ${state}`)}`);
  const notThere =
    missing.length === 0 ? '' : `\n\n${t('Not searched, since they are not connected:')}\n\n${missing.join('\n')}`;
  if (hits.length === 0) return { markdown: `${escaped(t('No tools match “{0}”.', argument))}${notThere}` };
  const joined = host.loaded.load(hits.map(({ tool }) => tool.name));
  const rows = hits.map(({ tool, summary }) => [tool.name, effectOf(tool.tool.annotations), summary]);
  const loaded =
    joined.length === 0
      ? t('The model already has all of them in its list.')
      : t('{0} of them are new in the model’s list of tools.', joined.length);
  return {
    markdown: `${t('{0} of {1} matching tools.', hits.length, total)} ${loaded}\n\n${table([t('Tool'), t('Effect'), t('What it does')], rows)}${notThere}`,
    followUps: [...new Set(hits.map(({ tool }) => tool.serverName))]
      .slice(0, 3)
      .map((name) => ({ prompt: name, command: 'tools' })),
  };
}
