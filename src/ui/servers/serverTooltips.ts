import * as vscode from 'vscode';
import { showInvisible } from '../../base/text/invisible.ts';
import { effectOf, type CatalogTool } from '../../catalog/catalogTool.ts';
import type { ToolQuality } from '../../catalog/toolQuality.ts';
import { describe } from '../../catalog/exposure/descriptions.ts';
import type { Account } from '../../connection/auth/signIns.ts';
import { describeState } from '../../connection/connectionState.ts';
import type { ServerView } from '../../host/serverView.ts';
import { effectLabel, launchLine } from './serverLabels.ts';

/** Sentences about a server and its tools. */
export interface ServerSentences {
  /** Problems of the definition's rules about tools. */
  readonly rules: readonly string[];
  /** What was left out of the server's lists. */
  readonly leftOut: readonly string[];
  /** About its name. */
  readonly warnings: readonly string[];
  /** The account that its calls use. */
  readonly account: Account | undefined;
}

const MAX_LEFT_OUT = 8;

/** Everything about a server, as a table of plain text. */
export function serverTooltip(
  view: ServerView,
  { rules, leftOut, warnings, account }: ServerSentences,
): vscode.MarkdownString {
  const { definition, state, tools } = view;
  const { t } = vscode.l10n;
  const { entry } = definition;
  const rows: [string, string][] = [
    [t('State'), describeState(state)],
    [t('Scope'), entry.scope],
    [t('File'), entry.source.file ? `${entry.source.file}:${entry.range.line}` : entry.source.label],
    [t('Runs'), launchLine(view.definition.entry)],
  ];
  if (account) rows.push([t('Account'), account.label], [t('Signed in at'), account.issuer]);
  if (state.kind === 'connected') {
    rows.push([t('Server'), `${state.info.name} ${state.info.version}`], [t('Protocol'), state.info.protocolVersion]);
    if (state.info.pid !== undefined) rows.push([t('Process'), String(state.info.pid)]);
    rows.push([t('Tools'), String(tools.length)]);
  }
  if (state.kind === 'blocked' && state.rule !== undefined) rows.push([t('Rule'), state.rule]);
  if (state.kind === 'blocked' && state.file !== undefined) rows.push([t('Rule file'), state.file]);
  if ((state.kind === 'failed' || state.kind === 'pending') && state.failure.remedy) {
    rows.push([t('What to do'), state.failure.remedy]);
  }
  rows.push(...warnings.map((warning): [string, string] => [t('Warning'), warning]));
  rows.push(...rules.map((problem): [string, string] => [t('Tool rules'), problem]));
  rows.push(...leftOut.slice(0, MAX_LEFT_OUT).map((sentence): [string, string] => [t('Left out'), sentence]));
  const markdown = new vscode.MarkdownString();
  for (const [label, value] of rows) {
    markdown.appendMarkdown(`**${label}:** `).appendText(showInvisible(value)).appendMarkdown('  \n');
  }
  return markdown;
}

/** A tool's title, effect, warnings, description, callable name and quality. */
export function toolTooltip(
  entry: CatalogTool,
  quality: ToolQuality | undefined,
  warnings: readonly string[],
): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  markdown
    .appendMarkdown('**')
    .appendText(showInvisible(entry.tool.title ?? entry.tool.name))
    .appendMarkdown('**  \n');
  markdown.appendText(effectLabel(effectOf(entry.tool.annotations))).appendMarkdown('\n\n');
  for (const warning of warnings) markdown.appendText(warning).appendMarkdown('\n\n');
  markdown.appendText(showInvisible(describe(entry))).appendMarkdown('\n\n');
  markdown.appendCodeblock(entry.name, 'text');
  if (!quality) return markdown;
  markdown.appendText(vscode.l10n.t('quality {0}', quality.score));
  for (const { points, advice } of quality.findings)
    markdown.appendMarkdown('\n- ').appendText(`${points > 0 ? '+' : ''}${points}: ${showInvisible(advice)}`);
  return markdown;
}
