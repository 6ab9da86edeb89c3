import { deepEqual, equal, match, ok, throws } from 'node:assert/strict';
import { anything, assert as check, property } from 'fast-check';
import { readContent } from '../../../../src/ui/pages/front/readContent.ts';
import { FIRST_STATE, ROWS_AT_ONCE, withMoreRows, withSort } from '../../../../src/ui/pages/front/pageState.ts';
import { visibleRows } from '../../../../src/ui/pages/front/visibleRows.ts';
import type { PageContent, Row, TableBlock } from '../../../../src/ui/pages/pageContent.ts';
import { pageHtml } from '../../../../src/ui/pages/pageHtml.ts';
import { offers, parsePageMessage } from '../../../../src/ui/pages/pageMessages.ts';

const row = (key: string, number: number | null, children: readonly Row[] = []): Row => ({
  key,
  cells: [key, number],
  actions: [{ id: `disable ${key}`, label: 'Disable', accessibleLabel: `Disable: ${key}` }],
  children,
});

const tableOf = (rows: readonly Row[]): TableBlock => ({
  kind: 'table',
  id: 'tools',
  title: 'Tools',
  columns: [
    { label: 'Tool', kind: 'text' },
    { label: 'Tokens', kind: 'number' },
  ],
  rows,
  empty: 'None.',
  drawings: [{ kind: 'bars', title: 'Tokens', series: [{ column: 1, tone: 'plain' }] }],
});

const content: PageContent = {
  title: 'Page',
  language: 'en',
  words: { asTables: 'Tables', showMore: '{0} more', actions: 'Actions', drawing: 'Chart: {0}' },
  blocks: [
    { kind: 'text', text: 'Hello.' },
    { kind: 'figures', figures: [{ label: 'a', value: '1', detail: '' }] },
    { kind: 'choice', id: 'tool', label: 'Tool', value: '', options: [{ value: 'x', label: 'X' }] },
    tableOf([row('a', 1, [row('a1', null)])]),
  ],
};

describe('pages: what they are sent', () => {
  const shown = (value: unknown): unknown => readContent({ type: 'show', content: value });

  it('is shown as it was made', () => deepEqual(shown(content), content));

  it('is nothing where any part of it is something else', () => {
    const paths: (string | number)[][] = [];
    const walk = (value: unknown, path: (string | number)[]): void => {
      paths.push(path);
      if (Array.isArray(value)) value.forEach((each, index) => walk(each, [...path, index]));
      else if (typeof value === 'object' && value !== null)
        for (const [key, each] of Object.entries(value)) walk(each, [...path, key]);
    };
    walk(content, []);
    ok(paths.length > 60, `${paths.length} places`);
    for (const path of paths) {
      const broken = path.reduceRight<(value: unknown) => unknown>(
        (inner, key) => (value) =>
          Array.isArray(value)
            ? value.map((each: unknown, index) => (index === key ? inner(each) : each))
            : { ...(value as object), [key]: inner((value as Record<string, unknown>)[key]) },
        () => ({ toString: 'evil' }),
      )(content);
      equal(shown(broken), undefined, path.join('.'));
    }
  });

  it('is nothing for any other message, and reading it never fails', () => {
    equal(readContent({ type: 'hide', content }), undefined);
    check(property(anything(), (value) => readContent(value) === undefined));
    check(property(anything(), (value) => shown(value) === undefined));
  });
});

describe('pages: what they say', () => {
  it('is one of their messages, or nothing', () => {
    deepEqual(parsePageMessage({ type: 'act', action: 'a', more: 1 }), { type: 'act', action: 'a' });
    deepEqual(parsePageMessage({ type: 'choose', id: 'a', value: 'b' }), { type: 'choose', id: 'a', value: 'b' });
    for (const wrong of [{ type: 'act' }, { type: 'act', action: {} }, { type: 'choose', id: 'a' }, [], 'ready', null])
      equal(parsePageMessage(wrong), undefined);
    check(property(anything(), (value) => parsePageMessage(value) === undefined));
  });

  it('is done only where the content offers it', () => {
    ok(offers(content, { type: 'act', action: 'disable a' }));
    ok(offers(content, { type: 'act', action: 'disable a1' }), 'of a row below another');
    ok(!offers(content, { type: 'act', action: 'disable b' }));
    ok(offers(content, { type: 'choose', id: 'tool', value: 'x' }));
    ok(!offers(content, { type: 'choose', id: 'tool', value: 'y' }));
    ok(!offers(content, { type: 'choose', id: 'other', value: 'x' }));
  });
});

describe('pages: their document', () => {
  const parts = { title: '<b>"T"</b>', language: 'en', style: 'a{}', script: 'run()', nonce: 'abc' };

  it('loads nothing, and runs nothing but its own script', () => {
    const html = pageHtml(parts);
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
    const rules = Object.fromEntries(policy.split('; ').map((rule) => [rule.split(' ')[0], rule]));
    equal(rules['default-src'], "default-src 'none'");
    equal(rules['script-src'], "script-src 'nonce-abc'");
    equal(rules['style-src'], "style-src 'nonce-abc'");
    // Images and sounds come with what the page is sent.
    ok(!/unsafe|https?:|\*|data:/.test(policy.replaceAll(/(?:img|media)-src data:/g, '')), policy);
    match(html, /<title>&#60;b&#62;&#34;T&#34;&#60;\/b&#62;<\/title>/);
    ok(!/\son\w+=|style="|src=|href=/.test(html));
  });

  it('is refused where its script or style would end its element', () => {
    throws(() => pageHtml({ ...parts, script: 'a = "</SCRIPT>"' }), RangeError);
    throws(() => pageHtml({ ...parts, style: 'a::after { content: "</style" }' }), RangeError);
  });
});

describe('pages: rows', () => {
  const keysOf = (table: TableBlock, state = FIRST_STATE): string[] =>
    visibleRows(table, state).rows.map(({ key }) => key);

  it('are in their order, with those of open rows behind them', () => {
    const table = tableOf([row('a', 1, [row('a1', 1)]), row('b', 2)]);
    deepEqual(keysOf(table), ['tools/a', 'tools/b']);
    deepEqual(keysOf(table, { ...FIRST_STATE, open: ['tools/a'] }), ['tools/a', 'tools/a/a1', 'tools/b']);
  });

  it('are sorted by a column, numbers from the largest, then the other way; what isn’t known is last in both', () => {
    const table = tableOf([row('a', 10), row('b', null), row('c', 9), row('d', 100)]);
    const down = withSort(FIRST_STATE, 'tools', 1, true);
    deepEqual(keysOf(table, down), ['tools/d', 'tools/a', 'tools/c', 'tools/b']);
    deepEqual(keysOf(table, withSort(down, 'tools', 1, true)), ['tools/c', 'tools/a', 'tools/d', 'tools/b']);
    deepEqual(keysOf(table, withSort(FIRST_STATE, 'tools', 0, false)), ['tools/a', 'tools/b', 'tools/c', 'tools/d']);
  });

  it('are drawn a hundred at once, however many there are', () => {
    const table = tableOf(Array.from({ length: 250 }, (_none, index) => row(`r${index}`, index)));
    deepEqual([visibleRows(table, FIRST_STATE).rows.length, visibleRows(table, FIRST_STATE).left], [ROWS_AT_ONCE, 150]);
    const more = withMoreRows(withMoreRows(FIRST_STATE, 'tools'), 'tools');
    deepEqual([visibleRows(table, more).rows.length, visibleRows(table, more).left], [250, 0]);
  });
});
