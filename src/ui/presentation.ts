import * as vscode from 'vscode';
import { showInvisible } from '../calls/argumentText.ts';
import { effectOf } from '../catalog/effect.ts';
import type { ToolQuality } from '../catalog/quality.ts';
import { describe } from '../catalog/summaries.ts';
import type { CatalogTool, ToolEffect } from '../catalog/types.ts';
import type { ServerEntry } from '../config/types.ts';
import { describeState, type ServerState, type ServerView } from '../serverView.ts';

/** Codicon and theme colour of each state. */
export function stateIcon(state: ServerState): vscode.ThemeIcon {
  switch (state.kind) {
    case 'connected':
      return state.listError ? icon('warning', 'list.warningForeground') : icon('pass-filled', 'testing.iconPassed');
    case 'connecting':
      return icon('sync~spin');
    case 'pending':
      return icon('sync', 'list.warningForeground');
    case 'failed':
    case 'problem':
      return icon('error', 'list.errorForeground');
    case 'needs-auth':
      return icon('key', 'list.warningForeground');
    case 'blocked':
      return state.needsApproval ? icon('shield', 'list.warningForeground') : icon('lock');
    case 'disabled':
      return icon('circle-slash', 'disabledForeground');
    case 'shadowed':
      return icon('eye-closed', 'disabledForeground');
    case 'disconnected':
      return icon('circle-outline');
  }
}

/** Codicon of what a tool may do. */
export function effectIcon(effect: ToolEffect): vscode.ThemeIcon {
  switch (effect) {
    case 'read-only':
      return icon('eye', 'charts.green');
    case 'writes':
      return icon('edit', 'charts.yellow');
    case 'destructive':
      return icon('flame', 'charts.red');
  }
}

/** The effect in words, in the person's language. */
export function effectLabel(effect: ToolEffect): string {
  switch (effect) {
    case 'read-only':
      return vscode.l10n.t('read-only');
    case 'writes':
      return vscode.l10n.t('writes');
    case 'destructive':
      return vscode.l10n.t('destructive');
  }
}

/** State and tool count in a few words. */
export function serverDescription({ state, tools }: ServerView): string {
  if (state.kind !== 'connected' || state.listError) return describeState(state);
  return tools.length === 1 ? vscode.l10n.t('1 tool') : vscode.l10n.t('{0} tools', tools.length);
}

/** Sentences about a server and its tools. */
export interface ServerSentences {
  /** What is wrong with the entry's rules about tools. */
  readonly rules: readonly string[];
  /** What was left out of what the server lists. */
  readonly leftOut: readonly string[];
  /** About its name. */
  readonly warnings: readonly string[];
}

const MAX_LEFT_OUT = 8;

/** Everything known of a server, as a table of plain text. */
export function serverTooltip(view: ServerView, { rules, leftOut, warnings }: ServerSentences): vscode.MarkdownString {
  const { definition, state, tools } = view;
  const { t } = vscode.l10n;
  const { entry } = definition;
  const rows: [string, string][] = [
    [t('State'), describeState(state)],
    [t('Scope'), entry.scope],
    [t('File'), entry.source.file ? `${entry.source.file}:${entry.range.line}` : entry.source.label],
    [t('Runs'), launchLine(view.definition.entry)],
  ];
  if (state.kind === 'connected') {
    rows.push([t('Server'), `${state.info.name} ${state.info.version}`], [t('Protocol'), state.info.protocolVersion]);
    if (state.info.pid !== undefined) rows.push([t('Process'), String(state.info.pid)]);
    rows.push([t('Tools'), String(tools.length)]);
  }
  if (state.kind === 'blocked' && state.rule !== undefined) rows.push([t('Rule'), state.rule]);
  if (state.kind === 'blocked' && state.file !== undefined) rows.push([t('Rule in the file'), state.file]);
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

/** What would run or be reached, as written: variables stay unexpanded, so no secret is shown. */
export function launchLine({ transport }: Pick<ServerEntry, 'transport'>): string {
  if (transport.type === 'sdk') return vscode.l10n.t('inside the extension {0}', transport.extension);
  return transport.type === 'stdio' ? [transport.command, ...transport.args].join(' ') : transport.url;
}

/** What is to be said of a server's tools beside their number. */
export function serverMarks(tools: readonly CatalogTool[], changes: number): string[] {
  const { t } = vscode.l10n;
  const cachedAt = tools[0]?.cachedAt;
  const remembered =
    cachedAt === undefined ? [] : [t('{0} tools remembered of {1}', tools.length, new Date(cachedAt).toLocaleString())];
  return [...remembered, ...(changes > 0 ? [t('{0} changed, to review', changes)] : [])];
}

/** What is to be said of a tool beside its effect. */
export function toolMarks(marks: {
  /** Of its name. */
  readonly named: readonly string[];
  readonly poorQuality?: ToolQuality;
  readonly isChanged: boolean;
}): string[] {
  const { t } = vscode.l10n;
  return [
    ...marks.named,
    ...(marks.isChanged ? [t('changed since you approved it')] : []),
    ...(marks.poorQuality ? [t('quality {0}', marks.poorQuality.score)] : []),
  ];
}

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

function icon(id: string, color?: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
}
