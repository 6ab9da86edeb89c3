import * as vscode from 'vscode';
import { oneLine, showInvisible } from '../../../base/text/showInvisible.ts';
import { effectOf, underlyingOf } from '../../../catalog/catalogTool.ts';
import type { ToolQuality } from '../../../catalog/toolQuality.ts';
import type { Host } from '../../../host/host.ts';
import { effectIcon, effectLabel, toolMarks } from '../serverLabels.ts';
import type { NameMark } from './nameMarks.ts';
import type { DisabledToolNode, ToolNode } from './treeNodes.ts';

const { Checked, Unchecked } = vscode.TreeItemCheckboxState;

/** What is known of a tool beside its definition. */
export interface ToolFacts {
  readonly named: NameMark;
  /** Where it is below the threshold. */
  readonly poorQuality: ToolQuality | undefined;
  /** Calls since the start. */
  readonly calls: number;
  /** What its definition costs the model. */
  readonly tokens: number;
  /** Whether its checkbox can be changed: it stands for a tool of the server, in a definition that can be edited. */
  readonly canBeDisabled: boolean;
}

/** The row of a tool that the model may have. */
export function toolRow(host: Host, node: ToolNode, facts: ToolFacts): vscode.TreeItem {
  const { t } = vscode.l10n;
  const { tool: entry } = node;
  const { named, poorQuality, calls, tokens, canBeDisabled } = facts;
  const effect = effectOf(entry.tool.annotations);
  const isChanged = host.feed.changesOf(entry.serverId).has(underlyingOf(entry).name);
  const marks = toolMarks({ named: named.marks, ...(poorQuality ? { poorQuality } : {}), isChanged });
  const counts = [
    ...(host.loaded.has(entry) ? [t('loaded')] : []),
    ...(calls > 0 ? [calls === 1 ? t('1 call') : t('{0} calls', calls)] : []),
    t('{0} tokens', tokens.toLocaleString()),
  ];
  const item = new vscode.TreeItem(oneLine(entry.tool.name));
  item.id = `${entry.serverId}\n${entry.tool.name}`;
  item.description = [effectLabel(effect), ...marks, ...counts].join(' · ');
  item.iconPath =
    marks.length > 0
      ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
      : effectIcon(effect);
  item.contextValue = canBeDisabled ? 'tool disableable' : 'tool';
  item.command = { command: 'mcpSwitchboard.showTool', title: t('Show Tool'), arguments: [node] };
  item.accessibilityInformation = { label: t('Tool {0}, {1}', item.label as string, item.description) };
  if (canBeDisabled) item.checkboxState = checkbox(Checked, t('Enabled. Clear to disable {0}.', item.label as string));
  return item;
}

/** The row of a tool that the definition leaves out. */
export function disabledToolRow({ serverId, tool }: DisabledToolNode, canBeEnabled: boolean): vscode.TreeItem {
  const { t } = vscode.l10n;
  const item = new vscode.TreeItem(showInvisible(tool.name));
  item.id = `${serverId}\n${tool.name}\ndisabled`;
  item.description = t('disabled');
  item.iconPath = new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('disabledForeground'));
  item.contextValue = canBeEnabled ? 'disabledTool enableable' : 'disabledTool';
  item.accessibilityInformation = { label: t('Tool {0}, {1}', item.label as string, item.description) };
  if (canBeEnabled)
    item.checkboxState = checkbox(Unchecked, t('Disabled. Select to enable {0}.', item.label as string));
  return item;
}

function checkbox(state: vscode.TreeItemCheckboxState, label: string): NonNullable<vscode.TreeItem['checkboxState']> {
  return { state, tooltip: label, accessibilityInformation: { label } };
}
