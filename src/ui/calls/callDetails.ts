// Loaded on first use.
import * as vscode from 'vscode';
import { oneLine, showInvisible } from '../../base/text/showInvisible.ts';
import { maskedWithin } from '../../base/text/maskedWithin.ts';
import { showReadOnlyText } from '../../bridge/readOnlyText.ts';
import { fenced } from '../../bridge/text/markdownText.ts';
import { argumentText } from '../../calls/arguments/argumentText.ts';
import type { CallTrace } from '../../calls/callTrace.ts';
import { workedMs, type HistoryEntry } from '../../calls/history/callHistory.ts';
import type { FailedCall } from '../../calls/history/failedCalls.ts';
import type { Host } from '../../host/host.ts';
import { answerLabel, callerLabel, durationText, ownName, phaseLabel, timeText, whyOf } from './callWords.ts';
import { resultLabel } from './resultLabel.ts';
import { localized } from '../../bridge/text/localized.ts';

/** Shows the record of a call in a read-only tab. */
export async function showEntry(entry: HistoryEntry): Promise<void> {
  await showReadOnlyText(`${ownName(entry.tool)} ${entry.id}.md`, entryText(entry));
}

/** Shows a call that hasn't ended, as it is now, in a read-only tab. */
export async function showLive({ mask }: Host, trace: CallTrace): Promise<void> {
  const { t } = vscode.l10n;
  const { decision } = trace;
  const rows: readonly Row[] = [
    [t('State'), phaseLabel(trace.phase)],
    [t('Since'), timeText(trace.at)],
    [t('Why'), decision && localized(decision.reason)],
    [t('Server'), trace.serverName],
    [t('Account'), trace.account],
    [t('Called from'), callerLabel(trace.surface, trace.caller)],
    [t('Script'), trace.script],
  ];
  const args = fenced('json', argumentText(maskedWithin(trace.args, mask)));
  await showReadOnlyText(`${ownName(trace.name)}.md`, [head(trace.name), lines(rows), args].join('\n\n'));
}

/** Shows a call that failed for good in a read-only tab. */
export async function showFailed(call: FailedCall): Promise<void> {
  await showReadOnlyText(`${call.tool}.txt`, failedText(call));
}

/** A failed call as text: its name, its arguments and its error. */
export function failedText({ tool, args, error }: FailedCall): string {
  return `${tool}\n${argumentText(args)}\n${showInvisible(error)}`;
}

function entryText(entry: HistoryEntry): string {
  const { t } = vscode.l10n;
  const { args, content, decision, caller, answer, askedMs } = entry;
  const rows: readonly Row[] = [
    [t('Why'), whyOf(entry)],
    [t('When'), new Date(entry.at).toLocaleString()],
    [t('Server'), entry.serverName],
    [t('Account'), entry.account],
    [t('Called from'), callerLabel(entry.surface, caller)],
    [t('Script'), entry.script],
    [t('Your answer'), answer && answerLabel(answer)],
    [t('Result'), resultLabel(entry.result)],
    [t('Duration'), durationText(workedMs(entry))],
    [t('Waited for your answer'), askedMs === undefined ? undefined : durationText(askedMs)],
    [t('Time in queue'), entry.queueMs >= 1 ? durationText(entry.queueMs) : undefined],
    [t('Attempts'), String(entry.attempts)],
    [t('Argument tokens'), String(entry.tokensIn)],
    [t('Result tokens'), String(entry.tokensOut)],
  ];
  return [
    head(entry.tool),
    lines(rows),
    ...(decision?.flagged ? [t('The tool is marked read-only, but its name suggests that it makes changes.')] : []),
    ...(args === undefined ? [] : [fenced('json', args)]),
    ...(content === undefined ? [] : [fenced('text', showInvisible(content))]),
  ].join('\n\n');
}

type Row = readonly [label: string, value: string | undefined];

function head(tool: string): string {
  return `# ${oneLine(tool)}`;
}

function lines(rows: readonly Row[]): string {
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [`- ${name}: ${oneLine(value)}`])).join('\n');
}
