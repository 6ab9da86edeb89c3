import * as vscode from 'vscode';
import { showInvisible } from '../../base/text/invisible.ts';
import { argumentText } from '../../calls/arguments/argumentText.ts';
import type { PlannedCall } from '../../calls/plan/planMode.ts';
import { maskedWithin, type Mask } from '../../base/text/secrets.ts';

/** A call that waits, as the view *Plan* shows it. @param mask for the user's own secrets */
export function planTreeItem(planned: PlannedCall, mask: Mask): vscode.TreeItem {
  const item = new vscode.TreeItem(showInvisible(planned.tool));
  item.id = planned.id;
  const args = maskedWithin(planned.args, mask);
  item.description = showInvisible(planned.error ?? JSON.stringify(args)).slice(0, 120);
  item.iconPath = new vscode.ThemeIcon(planned.error === undefined ? 'circle-outline' : 'error');
  item.tooltip = new vscode.MarkdownString()
    .appendText(showInvisible(`${planned.serverName} · ${planned.tool}`))
    .appendCodeblock(argumentText(args), 'json')
    .appendText(showInvisible(planned.error ?? ''));
  item.contextValue = 'planned';
  item.command = { command: 'mcpSwitchboard.planEdit', title: vscode.l10n.t('Edit'), arguments: [{ planned }] };
  item.accessibilityInformation = { label: vscode.l10n.t('Planned call of {0}', showInvisible(planned.tool)) };
  return item;
}
