import { strict as assert } from 'node:assert';
import { readdirSync } from 'node:fs';
import MiniSearch from 'minisearch';
import { join } from 'node:path';
import { pageHtml, SEARCH } from '../../scripts/lib/site-html.mjs';
import { readSite } from '../../scripts/lib/site.mjs';
import { root } from '../../scripts/lib/paths.mjs';

const { pages, sections, broken } = readSite();

describe('the site of the documents', () => {
  it('has a page of each document, under one title', () => {
    const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
    const sources = pages.map(({ source }) => source);
    assert.deepEqual(
      docs.filter((name) => !sources.includes(`docs/${name}`)),
      [],
    );
    assert.equal(new Set([SEARCH, ...pages.map(({ file }) => file)]).size, pages.length + 1);
    assert.equal(sections.flatMap(([, each]) => each).length, pages.length);
  });

  it('has only links that lead to a page of it, a heading that is there, an image of it, or another site', () => {
    assert.deepEqual(broken, []);
    const files = new Set(pages.map(({ file }) => file));
    for (const page of pages) {
      const html = pageHtml(page, sections);
      const links = [...html.matchAll(/(?:href|src)="([^"#]*)/g)].map((match) => match[1] ?? '');
      const odd = links.filter(
        (link) =>
          link !== '' && link !== SEARCH && !/^(?:https?|mailto):|^media\/|^site\.css$/.test(link) && !files.has(link),
      );
      assert.deepEqual(odd, [], page.source);
      // A file's name says nothing to readers of the site.
      assert.doesNotMatch(html, />[\w/-]+\.md<\/a>/, page.source);
      // Nothing is fetched from elsewhere, so that it works without a network.
      assert.doesNotMatch(html, /<(?:script|link)[^>]*(?:src|href)="https?:/, page.source);
    }
  });

  it('finds what readers look for', () => {
    const index = new MiniSearch({ fields: ['title', 'page', 'text'], storeFields: ['page'] });
    index.addAll(pages.flatMap(({ entries }) => entries));
    const options = { prefix: true, fuzzy: 0.2, boost: { title: 3, page: 2 }, combineWith: 'AND' } as const;
    for (const [words, file] of [
      ['handshake timeout', 'reference.html'],
      ['managed file', 'configuration.html'],
      ['plan mode', 'permissions.html'],
      ['downgrade', 'troubleshooting.html'],
      ['quality', 'search.html'],
    ] as const) {
      const found = index.search(words, options).map(({ id }) => String(id).split('#')[0]);
      assert.ok(found.slice(0, 8).includes(file), `${words}: ${found.slice(0, 8).join(', ')}`);
    }
  });
});
