import * as vscode from 'vscode';
import { oneLine } from '../../../base/text/showInvisible.ts';
import type { HistoryEntry, ToolStatistics } from '../../../calls/history/callHistory.ts';
import type { Block, PageContent, Row } from '../pageContent.ts';
import { pageWords } from '../pageWords.ts';
import { columnsOf, drawingOf } from '../tableParts.ts';
import { callsOverTime, type Stretch } from './callsOverTime.ts';

const DAY_MS = 24 * 60 * 60_000;

export interface UsageInput {
  /** The last calls, oldest first. */
  readonly entries: readonly HistoryEntry[];
  /** Of all calls since the window opened. */
  readonly statistics: readonly ToolStatistics[];
  /** The callable name of the tool that is looked at; empty for all. */
  readonly chosen: string;
  readonly language: string;
}

/** Id of the choice of a tool. */
export const TOOL_CHOICE = 'tool';

/** *Usage*: calls, errors and durations, over time and per tool. */
export function usageContent({ entries, statistics, chosen, language }: UsageInput): PageContent {
  const { t } = vscode.l10n;
  const called = entries.filter(({ serverName }) => serverName !== '');
  const looked = called.filter(({ tool }) => chosen === '' || tool === chosen);
  return {
    title: t('Usage'),
    language,
    words: pageWords(),
    blocks: [
      choice(statistics, chosen),
      figures(chosen === '' ? statistics : statistics.filter(({ tool }) => tool === chosen), language),
      overTime(callsOverTime(looked), language),
      perTool(statistics, called),
      { kind: 'text', text: t('Since the window opened. Times are of successful calls that needed no approval.') },
    ],
  };
}

function choice(statistics: readonly ToolStatistics[], chosen: string): Block {
  const { t } = vscode.l10n;
  const tools = statistics.map(({ tool }) => ({ value: tool, label: oneLine(tool) }));
  const options = [{ value: '', label: t('All Tools') }, ...tools];
  return { kind: 'choice', id: TOOL_CHOICE, label: t('Tool'), value: chosen, options };
}

function figures(statistics: readonly ToolStatistics[], language: string): Block {
  const { t } = vscode.l10n;
  const sum = (of: (each: ToolStatistics) => number): number => statistics.reduce((all, each) => all + of(each), 0);
  const number = (value: number): string => value.toLocaleString(language);
  const calls = sum(({ count }) => count);
  const errors = sum((each) => each.errors);
  return {
    kind: 'figures',
    figures: [
      { label: t('Calls'), value: number(calls), detail: t('Tools called: {0}', statistics.length) },
      { label: t('Errors'), value: number(errors), detail: calls > 0 ? `${((100 * errors) / calls).toFixed(1)}%` : '' },
      { label: t('Tokens in'), value: number(sum(({ tokensIn }) => tokensIn)), detail: t('Arguments of calls') },
      { label: t('Tokens out'), value: number(sum(({ tokensOut }) => tokensOut)), detail: t('Results of calls') },
    ],
  };
}

function overTime(stretches: readonly Stretch[], language: string): Block {
  const { t } = vscode.l10n;
  const span = (stretches.at(-1)?.at ?? 0) - (stretches[0]?.at ?? 0);
  const rows = stretches.map(({ at, lengthMs, calls, errors, p50Ms, p95Ms }): Row => {
    const cells = [timeText(at, lengthMs, span, language), calls - errors, errors, p50Ms, p95Ms];
    return { key: String(at), cells, actions: [], children: [] };
  });
  return {
    kind: 'table',
    id: 'time',
    title: t('Over Time'),
    empty: t('No tools called yet.'),
    columns: columnsOf([t('Time')], [t('Without errors'), t('Errors'), t('Median, ms'), t('95th percentile, ms')]),
    rows,
    drawings: [
      drawingOf('columns', t('Calls'), [1, 'accent'], [2, 'error']),
      drawingOf('lines', t('Duration'), [3, 'accent'], [4, 'plain']),
    ],
  };
}

function timeText(at: number, lengthMs: number, spanMs: number, language: string): string {
  const date = new Date(at);
  const timeStyle = lengthMs < 60_000 ? 'medium' : 'short';
  if (spanMs < DAY_MS) return date.toLocaleTimeString(language, { timeStyle });
  const day = { month: 'short', day: 'numeric' } as const;
  return date.toLocaleString(language, lengthMs < DAY_MS ? { ...day, hour: 'numeric', minute: 'numeric' } : day);
}

function perTool(statistics: readonly ToolStatistics[], called: readonly HistoryEntry[]): Block {
  const { t } = vscode.l10n;
  const servers = new Map(called.map(({ tool, serverName }) => [tool, serverName]));
  const rows = statistics.map(({ tool, count, errors, samples, p50Ms, p95Ms, tokensIn, tokensOut }): Row => {
    const times = samples > 0 ? [p50Ms, p95Ms] : [null, null];
    const cells = [oneLine(tool), oneLine(servers.get(tool) ?? ''), count, errors, ...times, tokensIn, tokensOut];
    return { key: tool, cells, actions: [], children: [] };
  });
  return {
    kind: 'table',
    id: 'tools',
    title: t('Tools'),
    empty: t('No tools called yet.'),
    columns: columnsOf(
      [t('Tool'), t('Server')],
      [t('Calls'), t('Errors'), t('Median, ms'), t('95th percentile, ms'), t('Tokens in'), t('Tokens out')],
    ),
    rows,
    drawings: [
      drawingOf('bars', t('Calls'), [2, 'accent'], [3, 'error']),
      drawingOf('bars', t('Duration'), [4, 'accent'], [5, 'plain']),
    ],
  };
}
