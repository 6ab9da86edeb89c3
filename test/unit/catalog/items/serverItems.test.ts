import { deepEqual, equal, ok } from 'node:assert/strict';
import { ServerItems } from '../../../../src/catalog/items/serverItems.ts';
import type { ServerItem } from '../../../../src/catalog/items/listServerItems.ts';

describe('resources and prompts', () => {
  let items: ServerItems;
  beforeEach(() => {
    items = new ServerItems();
    items.setServer('1', 'docs', {
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
  afterEach(() => items.dispose());
  const keyOf = (item: ServerItem | undefined): string | undefined => {
    if (item?.kind === 'resource') return item.resource.uri;
    if (item?.kind === 'skill') return item.skill.uri;
    return item?.kind === 'template' ? item.template.uriTemplate : item?.prompt.name;
  };

  const table: readonly (readonly [string, string])[] = [
    ['handbook', 'file:///handbook.md'],
    ['file:///prices.csv', 'file:///prices.csv'],
    ['columns of tables', 'db://{table}/schema'],
    ['review a patch', 'review'],
  ];
  for (const [query, key] of table) {
    it(`${JSON.stringify(query)} finds ${key}`, () => equal(keyOf(items.search(query, 5)[0]), key));
  }

  it('are listed in the order of resources, templates, prompts, each with a summary', () => {
    deepEqual(
      items.list().map(({ kind, summary }) => [kind, summary]),
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
    const subscription = items.onDidChange(() => (changes += 1));
    items.setServer('2', 'other', { resources: [], templates: [], prompts: [{ name: 'greet' }] });
    equal(keyOf(items.search('greet', 5)[0]), 'greet');
    deepEqual(items.search('greet', 5, 'docs'), []);
    items.removeServer('2');
    items.removeServer('2');
    deepEqual(items.search('greet', 5), []);
    equal(changes, 2);
    ok(items.list('2').length === 0);
    subscription.dispose();
  });
});
