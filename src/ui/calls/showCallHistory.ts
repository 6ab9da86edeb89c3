// Loaded on first use.
import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { workedMs, type HistoryEntry } from '../../calls/history/callHistory.ts';
import type { Host } from '../../host/host.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import { showEntry } from './callDetails.ts';
import { durationText, resultIcon, timeText, whyOf } from './callWords.ts';
import { resultLabel } from './resultLabel.ts';

type Item = vscode.QuickPickItem & { readonly entry?: HistoryEntry; readonly isUsage?: true };

/** *Show Call History…*: the last calls, newest first; picking one shows its decision and the reason. */
export async function showHistory(host: Host): Promise<void> {
  const { t } = vscode.l10n;
  const entries = host.calls.history.entries.toReversed();
  const items: Item[] = [
    { label: `$(graph) ${t('Show Usage')}`, isUsage: true },
    ...entries.map((entry) => ({ ...entryItem(entry), entry })),
  ];
  const picked = await ownInputs.ask(() =>
    vscode.window.showQuickPick(items, {
      title: t('MCP Tool Calls'),
      placeHolder: entries.length > 0 ? t('Select a call for details') : t('No calls yet'),
      matchOnDescription: true,
      matchOnDetail: true,
    }),
  );
  if (picked?.isUsage) await vscode.commands.executeCommand('mcpSwitchboard.showUsage');
  if (picked?.entry) await showEntry(picked.entry);
}

/** A call as a row of a list. */
export function entryItem(entry: HistoryEntry): vscode.QuickPickItem {
  return {
    label: `$(${resultIcon(entry)}) ${plainText(entry.tool)}`,
    description: `${timeText(entry.at)} · ${durationText(workedMs(entry))} · ${resultLabel(entry.result)}`,
    detail: plainText(whyOf(entry)),
  };
}
