import * as vscode from 'vscode';
import { argumentText, showInvisible } from '../../calls/arguments/argumentText.ts';
import type { PlannedCall } from '../../calls/plan/planMode.ts';
import { masked } from '../../calls/results/masking.ts';

/** A call that waits, as the view *Plan* shows it. */
export function planTreeItem(planned: PlannedCall): vscode.TreeItem {
  const item = new vscode.TreeItem(showInvisible(planned.tool));
  item.id = planned.id;
  item.description = showInvisible(planned.error ?? JSON.stringify(masked(planned.args))).slice(0, 120);
  item.iconPath = new vscode.ThemeIcon(planned.error === undefined ? 'circle-outline' : 'error');
  item.tooltip = new vscode.MarkdownString()
    .appendText(`${planned.serverName} · ${planned.tool}`)
    .appendCodeblock(argumentText(planned.args), 'json')
    .appendText(planned.error ?? '');
  item.contextValue = 'planned';
  item.command = { command: 'mcpSwitchboard.planEdit', title: vscode.l10n.t('Edit'), arguments: [{ planned }] };
  item.accessibilityInformation = { label: vscode.l10n.t('Planned call of {0}', planned.tool) };
  return item;
}
