// A bundle of its own, loaded on first use.
import * as vscode from 'vscode';
import { showInvisible } from '../../calls/arguments/argumentText.ts';
import type { HistoryEntry } from '../../calls/history/callHistory.ts';
import type { Host } from '../../host/host.ts';
import { showReadOnlyText } from '../readOnlyText.ts';

type Item = vscode.QuickPickItem & { readonly entry?: HistoryEntry; readonly statistics?: true };

/** *Show Call History…*: the last calls, newest first; what is picked says why it was decided as it was. */
export async function showHistory(host: Host): Promise<void> {
  const { t } = vscode.l10n;
  const entries = host.calls.history.entries.toReversed();
  const items: Item[] = [
    { label: `$(graph) ${t('Statistics per tool')}`, statistics: true },
    ...entries.map((entry) => ({
      label: `$(${iconOf(entry)}) ${showInvisible(entry.tool)}`,
      description: `${new Date(entry.at).toLocaleTimeString()} · ${Math.round(entry.durationMs)} ms · ${entry.result}`,
      detail: showInvisible(whyOf(entry)),
      entry,
    })),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: t('Calls of MCP tools'),
    placeHolder: entries.length > 0 ? t('Why? Pick a call') : t('Nothing was called yet'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked?.statistics) await showReadOnlyText(`${t('Statistics per tool')}.txt`, statisticsText(host));
  if (picked?.entry) await showReadOnlyText(`${picked.entry.tool} ${picked.entry.id}.md`, entryText(picked.entry));
}

/** Why a call ran, was asked about or didn't run, in a sentence. */
export function whyOf({ decision, answer, result }: HistoryEntry): string {
  const { t } = vscode.l10n;
  if (!decision) return t('It never came to a decision: {0}.', result);
  if (result === 'queued') return t('It was put on the plan’s list because {0}.', decision.reason);
  switch (decision.action) {
    case 'allow':
      return t('It ran because {0}.', decision.reason);
    case 'deny':
      return t('It was denied because {0}.', decision.reason);
    case 'ask':
      return t('You were asked because {0}. Your answer: {1}.', decision.reason, answer ?? t('none'));
  }
}

function iconOf({ result, decision }: HistoryEntry): string {
  if (result === 'ok') return decision?.action === 'ask' ? 'person' : 'check';
  return result === 'denied' ? 'circle-slash' : result === 'queued' ? 'checklist' : 'error';
}

function entryText(entry: HistoryEntry): string {
  const { t } = vscode.l10n;
  const { args, content, decision, caller, answer } = entry;
  const rows: [string, string | undefined][] = [
    [t('Why'), whyOf(entry)],
    [t('When'), new Date(entry.at).toLocaleString()],
    [t('Server'), entry.serverName],
    [t('Called from'), caller === undefined ? entry.surface : `${entry.surface} · ${caller}`],
    [t('Your answer'), answer],
    [t('Result'), entry.result],
    [t('Took'), `${Math.round(entry.durationMs)} ms`],
    [t('Of it, waiting for its turn'), entry.queueMs >= 1 ? `${Math.round(entry.queueMs)} ms` : undefined],
    [t('Attempts'), String(entry.attempts)],
    [t('Tokens of the arguments'), String(entry.tokensIn)],
    [t('Tokens of the result'), String(entry.tokensOut)],
  ];
  return [
    `# ${showInvisible(entry.tool)}`,
    rows.flatMap(([name, value]) => (value === undefined ? [] : [`- ${name}: ${showInvisible(value)}`])).join('\n'),
    ...(decision?.flagged ? [t('The tool claims that it only reads, but its name says otherwise.')] : []),
    ...(args === undefined ? [] : [`\`\`\`\`json\n${args.replaceAll('````', '')}\n\`\`\`\``]),
    ...(content === undefined ? [] : [`\`\`\`\`text\n${content.replaceAll('````', '')}\n\`\`\`\``]),
  ].join('\n\n');
}

function statisticsText(host: Host): string {
  const { t } = vscode.l10n;
  // The names last: they are long, and a narrow editor cuts what stands behind them.
  const head = [t('calls'), t('errors'), 'p50 ms', 'p95 ms', t('tokens in'), t('tokens out'), t('tool')];
  const rows = host.calls.history.statistics.map(({ tool, count, errors, samples, p50Ms, p95Ms, ...tokens }) => [
    String(count),
    String(errors),
    ...[p50Ms, p95Ms].map((ms) => (samples === 0 ? '–' : String(Math.round(ms)))),
    String(tokens.tokensIn),
    String(tokens.tokensOut),
    showInvisible(tool),
  ]);
  const note = t('Since the window was opened. Times are those of calls that succeeded and asked nobody.');
  return `${tableText(head, rows)}\n\n${note}\n`;
}

/** A table in Markdown whose columns stand below each other as text, too. */
function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
