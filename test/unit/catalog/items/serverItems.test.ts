import { deepEqual, equal, ok } from 'node:assert/strict';
import { Offers } from '../../../../src/catalog/items/serverItems.ts';
import type { Offer } from '../../../../src/catalog/items/listServerItems.ts';

describe('resources and prompts', () => {
  let offers: Offers;
  beforeEach(() => {
    offers = new Offers();
    offers.setServer('1', 'docs', {
      resources: [
        { uri: 'file:///handbook.md', name: 'handbook', description: 'How we work', mimeType: 'text/markdown' },
        { uri: 'file:///prices.csv', name: 'prices' },
      ],
      templates: [{ uriTemplate: 'db://{table}/schema', name: 'table schema', description: 'Columns of a table' }],
      prompts: [
        { name: 'review', description: 'Review a change', arguments: [{ name: 'diff', description: 'The patch' }] },
      ],
    });
  });
  afterEach(() => offers.dispose());
  const keyOf = (offer: Offer | undefined): string | undefined => {
    if (offer?.kind === 'resource') return offer.resource.uri;
    return offer?.kind === 'template' ? offer.template.uriTemplate : offer?.prompt.name;
  };

  const table: readonly (readonly [string, string])[] = [
    ['handbook', 'file:///handbook.md'],
    ['file:///prices.csv', 'file:///prices.csv'],
    ['columns of tables', 'db://{table}/schema'],
    ['review a patch', 'review'],
  ];
  for (const [query, key] of table) {
    it(`${JSON.stringify(query)} finds ${key}`, () => equal(keyOf(offers.search(query, 5)[0]), key));
  }

  it('are listed in the order of resources, templates, prompts, each with a summary', () => {
    deepEqual(
      offers.list().map(({ kind, summary }) => [kind, summary]),
      [
        ['resource', 'How we work'],
        ['resource', 'Resource prices from docs'],
        ['template', 'Columns of a table'],
        ['prompt', 'Review a change'],
      ],
    );
  });

  it('follow their servers and tell of it', () => {
    let changes = 0;
    const subscription = offers.onDidChange(() => (changes += 1));
    offers.setServer('2', 'other', { resources: [], templates: [], prompts: [{ name: 'greet' }] });
    equal(keyOf(offers.search('greet', 5)[0]), 'greet');
    deepEqual(offers.search('greet', 5, 'docs'), []);
    offers.removeServer('2');
    offers.removeServer('2');
    deepEqual(offers.search('greet', 5), []);
    equal(changes, 2);
    ok(offers.list('2').length === 0);
    subscription.dispose();
  });
});
