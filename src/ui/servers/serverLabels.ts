import * as vscode from 'vscode';
import type { ToolQuality } from '../../catalog/toolQuality.ts';
import type { CatalogTool, ToolEffect } from '../../catalog/catalogTool.ts';
import type { ServerEntry } from '../../config/configTypes.ts';
import { describeState, type ServerState } from '../../connection/connectionState.ts';
import { canSignIn, type ServerView } from '../../host/views/serverView.ts';
import { launchText } from '../../servers/trust/summary/launchSummary.ts';
import { localized } from '../../bridge/text/localized.ts';

/** Codicon and theme colour of each state. */
export function stateIcon(state: ServerState): vscode.ThemeIcon {
  switch (state.kind) {
    case 'installing':
      return icon('cloud-download');
    case 'connected':
      if (state.listError) return icon('warning', 'list.warningForeground');
      return state.accountNeeded ? icon('key', 'list.warningForeground') : icon('pass-filled', 'testing.iconPassed');
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

/** Codicon of a tool's effect. */
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

/** The localized name of an effect. */
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
export function serverDescription(view: ServerView): string {
  const { state, tools } = view;
  if (state.kind === 'needs-auth') return needsAuthText(state.failure.status, canSignIn(view));
  if (state.kind !== 'connected' || state.listError) return localized(describeState(state));
  const count = tools.length === 1 ? vscode.l10n.t('1 tool') : vscode.l10n.t('{0} tools', tools.length);
  return state.accountNeeded ? `${count} · ${vscode.l10n.t('some need a sign-in')}` : count;
}

/** What is to be done; who refuses, and what it says, is in the tooltip. */
function needsAuthText(status: number | undefined, hasSignIn: boolean): string {
  const { t } = vscode.l10n;
  if (status === 403) return t('Access denied');
  return hasSignIn || status !== 401 ? t('Needs sign-in') : t('Authorization refused');
}

/** The command or URL as written, on one line: variables stay unexpanded, and secrets are masked. */
export function launchLine({ transport }: Pick<ServerEntry, 'transport'>): string {
  if (transport.type === 'sdk') return vscode.l10n.t('in the extension {0}', transport.extension);
  return launchText(transport);
}

/** Notes on a server's tools, in addition to their number. */
export function serverMarks(tools: readonly CatalogTool[], changes: number): string[] {
  const { t } = vscode.l10n;
  const cachedAt = tools[0]?.cachedAt;
  const remembered =
    cachedAt === undefined ? [] : [t('{0} tools cached on {1}', tools.length, new Date(cachedAt).toLocaleString())];
  return [...remembered, ...(changes > 0 ? [t('{0} changed, review pending', changes)] : [])];
}

/** Notes on a tool, in addition to its effect. */
export function toolMarks(marks: {
  /** Notes on its name. */
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

function icon(id: string, color?: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
}
