import * as vscode from 'vscode';
import { showInvisible } from '../../../base/text/showInvisible.ts';
import { escaped } from '../../../bridge/text/safeText.ts';
import { effectOf, type CatalogTool } from '../../../catalog/catalogTool.ts';
import { describe } from '../../../catalog/exposure/descriptions.ts';
import type { ToolQuality } from '../../../catalog/toolQuality.ts';
import type { Account } from '../../../connection/auth/signIns.ts';
import { describeState } from '../../../connection/connectionState.ts';
import type { DrawableIcon } from '../../../connection/icons/drawableIcon.ts';
import type { ConnectionFailure } from '../../../connection/connectionTypes.ts';
import type { ProcessUse } from '../../../connection/process/processUsage.ts';
import { canSignIn, isSharedWithEditor, type ServerView } from '../../../host/views/serverView.ts';
import { effectLabel, launchLine } from '../serverLabels.ts';
import { localized } from '../../../bridge/text/localized.ts';

/** What is known of a server when its tooltip is shown. */
export interface ServerFacts {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Of its process and all that it started. */
  readonly use: ProcessUse | undefined;
  readonly timesConnected: number;
  /** Tools that the model may have, those that the definition leaves out, and the tokens of the definitions of the former. */
  readonly tools: { readonly enabled: number; readonly disabled: number; readonly tokens: number };
  /** The account that its calls use. */
  readonly account: Account | undefined;
  /** Sentences: about its name, its rules about tools, and what was left out of its lists. */
  readonly warnings: readonly string[];
  readonly rules: readonly string[];
  readonly leftOut: readonly string[];
  readonly icon: DrawableIcon | undefined;
}

const MAX_LEFT_OUT = 8;
const MAX_STDERR_LINES = 10;
const MAX_VALUE = 500;
/** In pixels. */
const ICON_SIDE = 16;

/** The commands that links in the tooltip run, and nothing else does. */
const COMMANDS = [
  ...['openDefinition', 'showLog', 'doctor', 'signIn', 'approve', 'chooseHost'].map((name) => `mcpSwitchboard.${name}`),
  'workbench.trust.manage',
];

/** Everything about a server, as a table of plain text, with links to what helps. */
export function serverTooltip(view: ServerView, facts: ServerFacts): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString('', true);
  markdown.isTrusted = { enabledCommands: COMMANDS };
  markdown.appendMarkdown(`${iconText(facts.icon)}**${escaped(view.definition.name)}**\n\n| | |\n|:--|:--|\n`);
  for (const [label, value] of [...stateRows(view, facts), ...factRows(view, facts)])
    markdown.appendMarkdown(`| ${escaped(label)} | ${escaped(cut(value))} |\n`);
  const tail = failureOf(view)?.stderrTail.slice(-MAX_STDERR_LINES) ?? [];
  if (tail.length > 0) {
    markdown.appendMarkdown(`\n\n${escaped(vscode.l10n.t('Last lines of stderr'))}\n`);
    markdown.appendCodeblock(tail.map((line) => showInvisible(cut(line))).join('\n'), 'text');
  }
  markdown.appendMarkdown(`\n\n${linksOf(view).join(' · ')}`);
  return markdown;
}

/** An image before a name; its bytes were looked at, and its name is none that a screen reader needs. */
function iconText(icon: DrawableIcon | undefined): string {
  return icon ? `![](data:${icon.mimeType};base64,${icon.data}|width=${ICON_SIDE},height=${ICON_SIDE}) ` : '';
}

function stateRows(view: ServerView, { now }: ServerFacts): readonly (readonly [string, string])[] {
  const { t } = vscode.l10n;
  const { state } = view;
  const failure = failureOf(view);
  return [
    [t('State'), localized(describeState(state, now))],
    ...(failure?.remedy === undefined ? [] : [[t('What to do'), failure.remedy] as const]),
    ...(state.kind === 'needs-auth' && !canSignIn(view) && failure?.remedy === undefined
      ? [[t('What to do'), t('Correct the header in its definition, then connect again.')] as const]
      : []),
    ...(isSharedWithEditor(view)
      ? [[t('What to do'), t('VS Code has it, too. Choose whether VS Code or MCP Switchboard runs it.')] as const]
      : []),
    ...(state.kind === 'blocked' && state.rule !== undefined ? [[t('Rule'), state.rule] as const] : []),
    ...(state.kind === 'blocked' && state.file !== undefined ? [[t('Rule file'), state.file] as const] : []),
  ];
}

function factRows(
  { definition: { entry }, state }: ServerView,
  facts: ServerFacts,
): readonly (readonly [string, string])[] {
  const { t } = vscode.l10n;
  const { use, account, timesConnected, now, tools } = facts;
  const rows: (readonly [string, string])[] = [];
  const add = (label: string, value: string | undefined): void => {
    if (value !== undefined) rows.push([label, value]);
  };
  if (state.kind === 'connected') {
    const restarts = timesConnected - 1;
    const since = t('{0}, since {1}', durationText(now - state.since), new Date(state.since).toLocaleString());
    add(t('Up'), restarts > 0 ? `${since} · ${restarts === 1 ? t('1 restart') : t('{0} restarts', restarts)}` : since);
    if (use) {
      add(
        t('Memory'),
        megabytes(use.memoryBytes) + (use.processes > 1 ? ` · ${t('{0} processes', use.processes)}` : ''),
      );
      const share = ((use.cpuMs / Math.max(1, now - state.since)) * 100).toFixed(1);
      add(t('CPU'), t('{0}, {1}% on average', durationText(use.cpuMs), share));
    }
  }
  if (tools.enabled + tools.disabled > 0)
    add(
      t('Tools'),
      [
        String(tools.enabled),
        ...(tools.disabled > 0 ? [t('{0} disabled', tools.disabled)] : []),
        t('{0} tokens', tools.tokens.toLocaleString()),
      ].join(' · '),
    );
  add(t('Account'), account && t('{0} at {1}', account.label, account.issuer));
  add(t('Runs'), launchLine(entry));
  add(t('Scope'), entry.scope);
  add(t('Defined in'), entry.source.file ? `${entry.source.file}:${entry.range.line}` : localized(entry.source.label));
  if (state.kind === 'connected') {
    const { name, version, protocolVersion, pid } = state.info;
    add(t('Server'), `${name} ${version} · ${t('protocol {0}', protocolVersion)}`);
    add(t('Process'), pid === undefined ? undefined : String(pid));
  }
  for (const warning of facts.warnings) add(t('Warning'), warning);
  for (const problem of facts.rules) add(t('Tool rules'), problem);
  for (const sentence of facts.leftOut.slice(0, MAX_LEFT_OUT)) add(t('Left out'), sentence);
  return rows;
}

function failureOf({ state }: ServerView): ConnectionFailure | undefined {
  return state.kind === 'failed' || state.kind === 'pending' || state.kind === 'needs-auth' ? state.failure : undefined;
}

function linksOf(view: ServerView): readonly string[] {
  const { t } = vscode.l10n;
  const { id, status } = view.definition;
  const link = (icon: string, label: string, command: string, ...args: readonly string[]): string => {
    const query = args.length > 0 ? `?${encoded(JSON.stringify(args))}` : '';
    return `[$(${icon}) ${escaped(label)}](command:mcpSwitchboard.${command}${query})`;
  };
  return [
    ...(canSignIn(view) ? [link('key', t('Sign In'), 'signIn', id)] : []),
    ...(status.kind === 'needs-approval' ? [link('shield', t('Approve…'), 'approve', id)] : []),
    ...(isSharedWithEditor(view) ? [link('arrow-swap', t('Choose MCP Host…'), 'chooseHost')] : []),
    ...(status.kind === 'blocked' && status.by === 'untrusted-workspace'
      ? [`[$(workspace-untrusted) ${escaped(t('Manage Trust…'))}](command:workbench.trust.manage)`]
      : []),
    link('go-to-file', t('Definition'), 'openDefinition', id),
    link('output', t('Log'), 'showLog', id),
    link('pulse', t('Doctor'), 'doctor'),
  ];
}

/** As part of a link's address in Markdown: parentheses would end it. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[()!'*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

function cut(text: string): string {
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(bytes < 10 * 1024 * 1024 ? 1 : 0)} MB`;
}

/** e.g. `3 d 4 h`, `12 min`, `0.4 s`. */
function durationText(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** A tool's title, effect, warnings, description, callable name, cost and quality. */
export function toolTooltip(
  entry: CatalogTool,
  quality: ToolQuality | undefined,
  warnings: readonly string[],
  tokens: number | undefined,
  icon: DrawableIcon | undefined,
): vscode.MarkdownString {
  const { t } = vscode.l10n;
  const markdown = new vscode.MarkdownString();
  markdown
    .appendMarkdown(`${iconText(icon)}**`)
    .appendText(showInvisible(entry.tool.title ?? entry.tool.name))
    .appendMarkdown('**  \n');
  const cost = tokens === undefined ? '' : ` · ${t('{0} tokens', tokens.toLocaleString())}`;
  markdown.appendText(effectLabel(effectOf(entry.tool.annotations)) + cost).appendMarkdown('\n\n');
  for (const warning of warnings) markdown.appendText(warning).appendMarkdown('\n\n');
  markdown.appendText(showInvisible(describe(entry))).appendMarkdown('\n\n');
  markdown.appendCodeblock(entry.name, 'text');
  if (!quality) return markdown;
  markdown.appendText(t('quality {0}', quality.score));
  for (const { points, advice } of quality.findings)
    markdown
      .appendMarkdown('\n- ')
      .appendText(`${points > 0 ? '+' : ''}${points}: ${showInvisible(localized(advice))}`);
  return markdown;
}
