import { deepEqual, equal, ok } from 'node:assert/strict';
import { History, type HistoryEntry } from '../../../../src/calls/history/callHistory.ts';
import { callsOverTime } from '../../../../src/ui/pages/usage/callsOverTime.ts';
import { readContent } from '../../../../src/ui/pages/front/readContent.ts';
import type { Block, PageContent, TableBlock } from '../../../../src/ui/pages/pageContent.ts';
import { withStubbedEditor } from '../../../support/stubbedEditor.ts';

const t = (text: string, ...values: unknown[]): string => text.replaceAll(/\{(\d)\}/g, (_all, n) => String(values[n]));
const { usageContent } = await withStubbedEditor(
  { l10n: { t } },
  () => import('../../../../src/ui/pages/usage/usageContent.ts'),
);

const NOON = Date.UTC(2026, 0, 1, 12);

function called(tool: string, at: number, more: Partial<HistoryEntry> = {}): Omit<HistoryEntry, 'id'> {
  const counts = { attempts: 1, tokensIn: 10, tokensOut: 100, queueMs: 0, durationMs: 5 } as const;
  return { ...counts, at, surface: 'lm-tool', serverName: 's', tool, result: 'ok', ...more };
}

function historyOf(...entries: readonly Omit<HistoryEntry, 'id'>[]): History {
  const history = new History();
  for (const entry of entries) history.add(entry);
  return history;
}

function contentOf({ entries, statistics }: History, chosen = ''): PageContent {
  return usageContent({ entries, statistics, chosen, language: 'en' });
}

const isTable = (block: Block): block is TableBlock => block.kind === 'table';

function rowsOf({ blocks }: PageContent, id: string): TableBlock['rows'] {
  return blocks.filter(isTable).find((block) => block.id === id)?.rows ?? [];
}

describe('Usage: calls over time', () => {
  const at = (...times: number[]): readonly HistoryEntry[] =>
    historyOf(...times.map((time) => called('x', time))).entries;

  it('are nothing where nothing was called', () => deepEqual(callsOverTime([]), []));

  it('are in stretches of one length, those without calls too', () => {
    const stretches = callsOverTime(at(NOON, NOON + 25_000, NOON + 26_000));
    deepEqual(
      stretches.map(({ at: begin, calls }) => [begin - NOON, calls]),
      [
        [0, 1],
        [10_000, 0],
        [20_000, 2],
      ],
    );
  });

  for (const days of [0.01, 0.1, 1, 3, 30, 400])
    it(`of ${days} days are at most thirty, and each call is in one`, () => {
      const stretches = callsOverTime(at(NOON, NOON + 1, NOON + days * 43_200_000, NOON + days * 86_400_000));
      ok(stretches.length <= 30 && stretches.length > 5, `${stretches.length} stretches`);
      equal(
        stretches.reduce((sum, { calls }) => sum + calls, 0),
        4,
      );
    });

  it('count errors, and time those that succeeded without a question', () => {
    const { entries } = historyOf(
      called('x', NOON, { durationMs: 10 }),
      called('x', NOON, { durationMs: 30, queueMs: 10 }),
      called('x', NOON, { durationMs: 9_000, answer: 'once' }),
      called('x', NOON, { durationMs: 70, result: 'tool-error' }),
      called('x', NOON, { durationMs: 80, result: 'denied' }),
    );
    const [only] = callsOverTime(entries);
    deepEqual([only?.calls, only?.errors, only?.p50Ms, only?.p95Ms], [5, 1, 10, 20]);
    const [failed] = callsOverTime(historyOf(called('x', NOON, { result: 'tool-error' })).entries);
    deepEqual([failed?.p50Ms, failed?.p95Ms], [null, null]);
  });
});

describe('Usage', () => {
  const history = historyOf(
    called('a', NOON),
    called('a', NOON, { result: 'tool-error' }),
    called('b', NOON + 60_000),
    called('', NOON, { serverName: '', result: 'tool-error' }),
  );

  it('has the numbers of all tools, or of the one that was chosen', () => {
    const figures = (chosen: string): string[] =>
      contentOf(history, chosen).blocks.flatMap((block) =>
        block.kind === 'figures' ? block.figures.map(({ value }) => value) : [],
      );
    deepEqual(figures(''), ['3', '1', '30', '300']);
    deepEqual(figures('a'), ['2', '1', '20', '200']);
  });

  it('has the calls over time and per tool, most called first', () => {
    const sum = (chosen: string, column: number): number =>
      rowsOf(contentOf(history, chosen), 'time').reduce((all, { cells }) => all + Number(cells[column]), 0);
    deepEqual([sum('', 1), sum('', 2), sum('b', 1), sum('b', 2)], [2, 1, 1, 0]);
    deepEqual(
      rowsOf(contentOf(history), 'tools').map(({ cells }) => cells),
      [
        ['a', 's', 2, 1, 5, 5, 20, 200],
        ['b', 's', 1, 0, 5, 5, 10, 100],
      ],
    );
  });

  it('knows no times of tools that never succeeded, and writes out what hides in names', () => {
    const made = contentOf(historyOf(called('x\u202E', NOON, { result: 'tool-error', serverName: 'a\nb' })));
    deepEqual(rowsOf(made, 'tools')[0]?.cells, [String.raw`x\u{202e}`, String.raw`a\nb`, 1, 1, null, null, 10, 100]);
    deepEqual(readContent({ type: 'show', content: made }), made);
  });

  it('of no calls is a page, too', () => {
    const made = contentOf(new History());
    deepEqual([rowsOf(made, 'time'), rowsOf(made, 'tools')], [[], []]);
    deepEqual(readContent({ type: 'show', content: made }), made);
  });
});
