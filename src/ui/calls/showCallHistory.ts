// Loaded on first use.
import * as vscode from 'vscode';
import { plainText } from '../../bridge/safeText.ts';
import { ownInputs } from '../../bridge/ownInputs.ts';
import { showInvisible } from '../../base/text/invisible.ts';
import type { Answer, Surface } from '../../calls/callTypes.ts';
import type { HistoryEntry } from '../../calls/history/callHistory.ts';
import type { Host } from '../../host/host.ts';
import { showReadOnlyText } from '../../bridge/readOnlyText.ts';

type Item = vscode.QuickPickItem & { readonly entry?: HistoryEntry; readonly statistics?: true };

/** *Show Call History…*: the last calls, newest first; picking one shows its decision and the reason. */
export async function showHistory(host: Host): Promise<void> {
  const { t } = vscode.l10n;
  const entries = host.calls.history.entries.toReversed();
  const items: Item[] = [
    { label: `$(graph) ${t('Statistics per Tool')}`, statistics: true },
    ...entries.map((entry) => ({
      label: `$(${iconOf(entry)}) ${plainText(entry.tool)}`,
      description: `${new Date(entry.at).toLocaleTimeString()} · ${Math.round(entry.durationMs)} ms · ${resultLabel(entry.result)}`,
      detail: plainText(whyOf(entry)),
      entry,
    })),
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
  if (picked?.entry) await showReadOnlyText(`${picked.entry.tool} ${picked.entry.id}.md`, entryText(picked.entry));
}

/** Why a call ran, needed an answer or didn't run, in a sentence or two. */
export function whyOf({ decision, answer, result, surface }: HistoryEntry): string {
  const { t } = vscode.l10n;
  if (!decision) return t('No decision: {0}.', resultLabel(result));
  if (result === 'queued') return t('Planned: {0}.', decision.reason);
  switch (decision.action) {
    case 'allow':
      return isManual(surface) ? t('You ran it manually.') : t('Allowed: {0}.', decision.reason);
    case 'deny':
      return t('Denied: {0}.', decision.reason);
    case 'ask':
      return answer === undefined
        ? t('Asked: {0}. No answer.', decision.reason)
        : t('Asked: {0}. You chose {1}.', decision.reason, answerLabel(answer));
  }
}

/** The label of the button that was clicked. */
function answerLabel(answer: Answer): string {
  const { t } = vscode.l10n;
  switch (answer) {
    case 'once':
      return t('Allow Once');
    case 'session':
      return t('Allow in This Session');
    case 'always':
      return t('Always Allow');
    case 'alwaysArgs':
      return t('Always Allow with These Arguments');
    case 'deny':
      return t('Deny');
  }
}

function isManual(surface: Surface): boolean {
  return surface === 'plan-queue' || surface === 'dead-letters';
}

function surfaceLabel(surface: Surface): string {
  const { t } = vscode.l10n;
  switch (surface) {
    case 'lm-tool':
    case 'gateway':
      return t('Agent');
    case 'outside':
      return t('Agent outside the editor');
    case 'participant':
      return '@mcp';
    case 'editor':
      return t('Editor');
    case 'api':
      return t('Extension');
    case 'plan-queue':
      return t('Plan');
    case 'dead-letters':
      return t('Failed calls');
    case 'test':
      return t('Test');
  }
}

/** The code of an error as words: `tool-error` is "Tool error". */
function resultLabel(result: HistoryEntry['result']): string {
  const { t } = vscode.l10n;
  if (result === 'ok') return t('Succeeded');
  if (result === 'queued') return t('Planned');
  const words = result.replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
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
    [t('Account'), entry.account],
    [
      t('Called from'),
      caller === undefined ? surfaceLabel(entry.surface) : `${surfaceLabel(entry.surface)} · ${caller}`,
    ],
    [t('Your answer'), answer && answerLabel(answer)],
    [t('Result'), resultLabel(entry.result)],
    [t('Duration'), `${Math.round(entry.durationMs)} ms`],
    [t('Time in queue'), entry.queueMs >= 1 ? `${Math.round(entry.queueMs)} ms` : undefined],
    [t('Attempts'), String(entry.attempts)],
    [t('Argument tokens'), String(entry.tokensIn)],
    [t('Result tokens'), String(entry.tokensOut)],
  ];
  return [
    `# ${showInvisible(entry.tool)}`,
    rows.flatMap(([name, value]) => (value === undefined ? [] : [`- ${name}: ${showInvisible(value)}`])).join('\n'),
    ...(decision?.flagged ? [t('The tool is marked read-only, but its name suggests that it makes changes.')] : []),
    ...(args === undefined ? [] : [`\`\`\`\`json\n${args.replaceAll('````', '')}\n\`\`\`\``]),
    ...(content === undefined ? [] : [`\`\`\`\`text\n${content.replaceAll('````', '')}\n\`\`\`\``]),
  ].join('\n\n');
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
