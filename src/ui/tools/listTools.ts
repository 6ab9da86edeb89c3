// Loaded on first use.
import { localized } from '../../bridge/text/localized.ts';
import * as vscode from 'vscode';
import { plainText } from '../../bridge/text/safeText.ts';
import { reportTools, type ReportedTool } from '../../catalog/toolQuality.ts';
import type { Host } from '../../host/host.ts';
import { picked } from '../../bridge/dialogs/pickedRow.ts';
import { effectLabel } from '../servers/serverLabels.ts';
import type { ServersTree } from '../servers/serversTree.ts';
import { notifyNone } from '../nothingToShow.ts';

interface ToolPick extends vscode.QuickPickItem {
  readonly tool: ReportedTool;
}

/** *Show Tool Quality…*: all tools with their quality, also as JSON; picking one shows it in the tree. */
export async function listTools(host: Host, tree: ServersTree, threshold: number): Promise<void> {
  const { t } = vscode.l10n;
  const report = reportTools(host.catalog.tools, threshold);
  if (report.length === 0) {
    void notifyNone(host, t('No connected server has tools.'));
    return;
  }
  const pick = vscode.window.createQuickPick<ToolPick>();
  const copy = { iconPath: new vscode.ThemeIcon('json'), tooltip: t('Copy as JSON') };
  pick.title = t('{0} tools, {1} below quality threshold', report.length, report.filter(isMarked).length);
  pick.placeholder = t('Sorted by lowest quality');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.buttons = [copy];
  pick.items = report.map(itemOf);
  pick.onDidTriggerButton(() => {
    void vscode.env.clipboard.writeText(JSON.stringify(report, undefined, 2));
    pick.hide();
  });
  const chosen = await picked(pick, ({ tool }) => tool);
  const entry = chosen && host.catalog.find(chosen.name);
  if (entry) await tree.reveal(entry);
}

function isMarked(tool: ReportedTool): boolean {
  return tool.isMarked;
}

function itemOf(tool: ReportedTool): ToolPick {
  const { score, effect, server, findings } = tool;
  return {
    tool,
    label: `${tool.isMarked ? '$(warning) ' : ''}${plainText(tool.name)}`,
    description: [plainText(server), effectLabel(effect), vscode.l10n.t('quality {0}', score)].join(' · '),
    detail: findings
      .filter(({ points }) => points < 0)
      .map(({ points, advice }) => `${points}: ${plainText(localized(advice))}`)
      .join(' '),
  };
}
