// Loaded on first use.
import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/ownInputs.ts';
import { showInvisible } from '../../base/text/invisible.ts';
import { workedMs, type HistoryEntry } from '../../calls/history/callHistory.ts';
import type { Host } from '../../host/host.ts';
import { plainText } from '../../bridge/safeText.ts';
import { showReadOnlyText } from '../../bridge/readOnlyText.ts';
import { showEntry } from './callDetails.ts';
import { durationText, resultIcon, resultLabel, timeText, whyOf } from './callWords.ts';

type Item = vscode.QuickPickItem & { readonly entry?: HistoryEntry; readonly statistics?: true };

/** *Show Call History…*: the last calls, newest first; picking one shows its decision and the reason. */
export async function showHistory(host: Host): Promise<void> {
  const { t } = vscode.l10n;
  const entries = host.calls.history.entries.toReversed();
  const items: Item[] = [
    { label: `$(graph) ${t('Statistics per Tool')}`, statistics: true },
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
  if (picked?.statistics) await showReadOnlyText(`${t('Statistics per Tool')}.txt`, statisticsText(host));
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

function statisticsText(host: Host): string {
  const { t } = vscode.l10n;
  // Names come last: they are long, and a narrow editor would cut the columns after them.
  const head = [t('calls'), t('errors'), 'p50 ms', 'p95 ms', t('tokens in'), t('tokens out'), t('tool')];
  const rows = host.calls.history.statistics.map(({ tool, count, errors, samples, p50Ms, p95Ms, ...tokens }) => [
    String(count),
    String(errors),
    ...[p50Ms, p95Ms].map((ms) => (samples === 0 ? '–' : String(Math.round(ms)))),
    String(tokens.tokensIn),
    String(tokens.tokensOut),
    showInvisible(tool),
  ]);
  const note = t('Since the window opened. Times are of successful calls that needed no approval.');
  return `${tableText(head, rows)}\n\n${note}\n`;
}

/** A Markdown table whose columns are aligned as text. */
function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
