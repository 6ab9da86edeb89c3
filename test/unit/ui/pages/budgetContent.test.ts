import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { ContextStats, ToolStats } from '../../../../src/catalog/exposure/contextStats.ts';
import { decideExposure } from '../../../../src/catalog/exposure/toolExposure.ts';
import type { BudgetInput } from '../../../../src/ui/pages/budget/budgetContent.ts';
import { readContent } from '../../../../src/ui/pages/front/readContent.ts';
import type { PageContent, TableBlock } from '../../../../src/ui/pages/pageContent.ts';
import { withStubbedEditor } from '../../../support/stubbedEditor.ts';

/** Translations of this test. */
const german: ReadonlyMap<string, string> = new Map([
  ['{0} tools exceed the limit of {1}.', '{0} Tools überschreiten die Grenze von {1}.'],
]);
const t = (text: string, ...values: unknown[]): string =>
  (german.get(text) ?? text).replaceAll(/\{(\d)\}/g, (_all, n) => String(values[n]));
const { budgetContent } = await withStubbedEditor(
  { l10n: { t } },
  () => import('../../../../src/ui/pages/budget/budgetContent.ts'),
);

const tool = (name: string, tokens: number, isLoaded = false): ToolStats => ({
  name,
  tokens,
  summaryTokens: tokens / 10,
  isLoaded,
});

const serverOf = (serverName: string, ...tools: ToolStats[]): ContextStats['servers'][number] => ({
  serverName,
  definitions: { count: tools.length, tokens: tools.reduce((sum, { tokens }) => sum + tokens, 0) },
  summaries: { count: tools.length, tokens: tools.reduce((sum, { summaryTokens }) => sum + summaryTokens, 0) },
  tools,
});

const stats: ContextStats = {
  instructions: { count: 2, tokens: 50 },
  summaries: { count: 3, tokens: 130 },
  loaded: { count: 1, tokens: 200 },
  all: { count: 3, tokens: 1_300 },
  savedPercent: 80.8,
  servers: [serverOf('small', tool('x', 200, true)), serverOf('large', tool('y', 100), tool('z', 1_000))],
};

const input: BudgetInput = {
  stats,
  decision: { exposure: 'search', nativeLimit: 0, reason: 'Set to search.' },
  countedBy: undefined,
  requests: 3,
  nameOf: (name) => `own-${name}`,
  factsOf: (name) => ({
    calls: name === 'x' ? 0 : 2,
    hints: name === 'z' ? 1 : 0,
    canBeDisabled: name !== 'y',
    canMoveToSearch: true,
    isMovedToSearch: name === 'y',
  }),
  language: 'en',
};

function tableOf({ blocks }: PageContent, id: string): TableBlock {
  const found = blocks.find((block): block is TableBlock => block.kind === 'table' && block.id === id);
  ok(found, id);
  return found;
}

describe('Context Budget', () => {
  it('says what is sent, and what is saved with each request and in all', () => {
    const [text, figures] = budgetContent(input).blocks;
    ok(text?.kind === 'text' && figures?.kind === 'figures');
    equal(text.text, 'Mode: search. Set to search. Estimated: no model counts the tokens.');
    deepEqual(
      figures.figures.map(({ value }) => value),
      ['250 tokens', '1,300 tokens', '1,050 tokens', '3,150 tokens'],
    );
    equal(figures.figures[2]?.detail, '80.8%');
    // One request can lead to several calls, and some lead to none.
    equal(figures.figures[3]?.detail, 'Estimate: as the tools are now, for 3 requests that led to calls');
  });

  it('says in the user’s language why the tools are offered as they are', () => {
    const decision = decideExposure({ setting: 'auto', toolCount: 70, definitionTokens: 0 });
    const [text] = budgetContent({ ...input, decision }).blocks;
    ok(text?.kind === 'text');
    match(text.text, /^Mode: search\. 70 Tools überschreiten die Grenze von 64\./);
  });

  it('has each server with its tools, the priciest first: loaded, summaries, all', () => {
    const { rows, drawings, columns } = tableOf(budgetContent(input), 'servers');
    deepEqual(
      rows.map(({ cells }) => cells),
      [
        ['large', 2, 0, 110, 1_100],
        ['small', 1, 200, 20, 200],
      ],
    );
    deepEqual(
      rows[0]?.children.map(({ cells }) => cells),
      [
        ['own-z', null, 0, 100, 1_000],
        ['own-y', null, 0, 10, 100],
      ],
    );
    for (const { series } of drawings) for (const { column } of series) equal(columns[column]?.kind, 'number');
  });

  it('names the priciest tools, those that are sent first, with what can be done about each', () => {
    const { rows } = tableOf(budgetContent(input), 'priciest');
    deepEqual(
      rows.map(({ cells, actions }) => [cells[0], cells[4], ...actions.map(({ id }) => id)]),
      [
        ['own-x', 'Sent with each request, and not called yet.', 'disable x', 'search x'],
        [
          'own-z',
          'Found by search: costs nothing until it is used. Its author could describe it better.',
          'disable z',
          'hints z',
        ],
        ['own-y', 'Found by search: costs nothing until it is used.', 'native y'],
      ],
    );
    equal(rows[0]?.actions[0]?.accessibleLabel, 'Disable: own-x');
  });

  it('moves to search only what is there for the exposure or a rule', () => {
    const factsOf = (name: string): ReturnType<typeof input.factsOf> => ({
      ...input.factsOf(name),
      canMoveToSearch: false,
    });
    const [first] = tableOf(budgetContent({ ...input, factsOf }), 'priciest').rows;
    deepEqual(
      first?.actions.map(({ id }) => id),
      ['disable x'],
    );
  });

  it('names ten of many', () => {
    const many = serverOf('many', ...Array.from({ length: 50 }, (_none, index) => tool(`t${index}`, index)));
    equal(tableOf(budgetContent({ ...input, stats: { ...stats, servers: [many] } }), 'priciest').rows.length, 10);
  });

  it('writes out what hides in names, and is what a page takes', () => {
    const evil = serverOf('a\u202Eb\nc', tool('<img src=x onerror=alert(1)>', 5));
    const made = budgetContent({ ...input, stats: { ...stats, servers: [evil] }, nameOf: (name) => `${name}\u200b` });
    const [row] = tableOf(made, 'servers').rows;
    deepEqual(row?.cells[0], String.raw`a\u{202e}b\nc`);
    deepEqual(row?.children[0]?.cells[0], String.raw`<img src=x onerror=alert(1)>\u{200b}`);
    deepEqual(readContent({ type: 'show', content: made }), made);
  });

  it('of no tools has sentences in the place of tables', () => {
    const none: ContextStats = { ...stats, all: { count: 0, tokens: 0 }, servers: [] };
    const made = budgetContent({ ...input, stats: none });
    equal(tableOf(made, 'servers').rows.length, 0);
    ok(tableOf(made, 'servers').empty.length > 0);
  });
});
