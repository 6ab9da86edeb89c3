import { strict as assert } from 'node:assert';
import { History } from '../../../src/calls/history/callHistory.ts';
import { readContent } from '../../../src/ui/pages/front/readContent.ts';
import type { PageContent } from '../../../src/ui/pages/pageContent.ts';
import { pageHtml } from '../../../src/ui/pages/pageHtml.ts';
import { offers } from '../../../src/ui/pages/pageMessages.ts';
import { withStubbedEditor } from '../../support/stubbedEditor.ts';

const { budgetContent, usageContent } = await withStubbedEditor({ l10n: { t: (text: string) => text } }, async () => ({
  ...(await import('../../../src/ui/pages/budget/budgetContent.ts')),
  ...(await import('../../../src/ui/pages/usage/usageContent.ts')),
}));

const EVIL = 'a\u202Eb\u200b\nc';
const cost = { count: 1, tokens: 100 };

function budget(): PageContent {
  const tools = [{ name: EVIL, tokens: 100, summaryTokens: 10, isLoaded: true }];
  return budgetContent({
    stats: {
      instructions: cost,
      summaries: cost,
      loaded: cost,
      all: cost,
      savedPercent: 0,
      servers: [{ serverName: EVIL, definitions: cost, summaries: cost, tools }],
    },
    decision: undefined,
    countedBy: EVIL,
    requests: 0,
    nameOf: (name) => name,
    factsOf: () => ({ calls: 0, hints: 1, canBeDisabled: true, canMoveToSearch: true, isMovedToSearch: false }),
    language: 'en',
  });
}

function usage(): PageContent {
  const history = new History();
  const counts = { attempts: 1, tokensIn: 1, tokensOut: 1, queueMs: 0, durationMs: 1 } as const;
  history.add({ ...counts, at: 0, surface: 'lm-tool', serverName: EVIL, tool: EVIL, result: 'ok' });
  const { entries, statistics } = history;
  return usageContent({ entries, statistics, chosen: '', language: 'en' });
}

/** What is drawn: all texts but the keys and ids, which stay unseen. */
function textsOf(value: unknown, key = ''): readonly string[] {
  if (typeof value === 'string') return ['key', 'id', 'value'].includes(key) ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => textsOf(each, Array.isArray(value) ? key : name));
}

describe('attacks on pages', () => {
  it('A name hides or reorders what a page says', () => {
    for (const content of [budget(), usage()]) {
      const texts = textsOf(content);
      assert.ok(texts.some((text) => text.includes(String.raw`a\u{202e}b\u{200b}\nc`)));
      assert.deepEqual(
        texts.filter((text) => /[\u202E\u200b\n]/.test(text)),
        [],
      );
    }
  });

  it('A page says that a button was clicked that it doesn’t have', () => {
    const content = budget();
    assert.ok(offers(content, { type: 'act', action: `disable ${EVIL}` }));
    for (const action of ['disable other', `native ${EVIL}`, '', 'constructor'])
      assert.ok(!offers(content, { type: 'act', action }), action);
  });

  it('A page is sent something else than its content', () => {
    const content = budget();
    assert.deepEqual(readContent({ type: 'show', content }), content);
    for (const wrong of [null, 'text', {}, { ...content, blocks: [{ kind: 'html', html: '<b>' }] }])
      assert.equal(readContent({ type: 'show', content: wrong }), undefined);
  });

  it('A page loads something, or runs a script that it is given', () => {
    const html = pageHtml({
      title: '<script>x</script>',
      language: '"><script>',
      style: '',
      script: 'own()',
      nonce: 'n',
    });
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
    assert.deepEqual(policy.split('; '), [
      "default-src 'none'",
      "script-src 'nonce-n'",
      "style-src 'nonce-n'",
      'img-src data:',
      'media-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
    ]);
    assert.equal(html.split('<script').length, 2);
    assert.throws(() => pageHtml({ title: '', language: '', style: '', script: '</script>', nonce: 'n' }), RangeError);
  });
});
