import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import MiniSearch from 'minisearch';
import { dirname, join } from 'node:path';
import { pageHtml, SEARCH, searchHtml } from '../../scripts/lib/site-html.mjs';
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

  it('lets nothing in but its own files, and scripts where there are some', () => {
    const policyOf = (html: string): string =>
      /<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html)?.[1] ?? '';
    for (const page of pages) {
      const html = pageHtml(page, sections);
      const own = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'";
      assert.equal(policyOf(html), own, page.file);
      assert.doesNotMatch(html, /<(?:script|style|iframe|object|embed)\b|<[^>]* (?:style|on\w+)=/i, page.file);
    }
    const search = searchHtml(sections);
    assert.match(policyOf(search), /^default-src 'none'; script-src 'self'; /);
    assert.doesNotMatch(search, /<script(?! src="[\w-]+\.js"><\/script>)|<style\b|<[^>]* (?:style|on\w+)=/i);
  });

  it('says what leads nowhere, out of the repository or to pictures of others, and takes none of it', () => {
    const base = mkdtempSync(join(tmpdir(), 'switchboard-site-'));
    try {
      const folder = join(base, 'repository');
      const write = (file: string, text = ''): void => {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), text);
      };
      for (const file of ['../secret.png', 'docs/in.png', 'media/own.png', 'media/a b.png', 'other/far.png'])
        write(file);
      symlinkSync(join(base, 'secret.png'), join(folder, 'media/link.png'));
      symlinkSync(join(base, 'secret.png'), join(folder, 'docs/linked.md'));
      const good = ['in.png', '../media/own.png', '../docs/in.png', '../media/a%20b.png'];
      const bad = ['../../secret.png', '%2e%2e/%2e%2e/secret.png', '..%2F..%2Fsecret.png', '..\\..\\secret.png', '/etc/x.png', '../media/link.png', '../other/far.png', 'missing.png', '//example.com/x.png', 'https://example.com/x.png', '%zz.png', '../media/../../secret.png', 'page.md']; // prettier-ignore
      const badLinks = ['missing.md', '../../secret.png', '#nowhere', 'page.md#nowhere', '../..', 'vscode:x'];
      write(
        'docs/page.md',
        `# Page\n${[...good, ...bad].map((each) => `![a](<${each}>)`).join('\n')}\n${badLinks.map((each) => `[a](<${each}>)`).join('\n')}\n[b](../other/far.png) [c](#page)`,
      );
      const site = readSite(folder);
      assert.deepEqual([...site.images].sort(), ['docs/in.png', 'media/a b.png', 'media/own.png']);
      assert.equal(site.broken.length, bad.length + badLinks.length, site.broken.join('\n'));
      assert.equal(site.pages.length, 1, 'no page of a file from elsewhere');
      const [page] = site.pages;
      assert.ok(page);
      const shown = [...page.html.matchAll(/src="([^"]*)"/g)].map(([, src]) => src).filter((src) => src !== '#');
      assert.deepEqual(shown, ['docs/in.png', 'media/own.png', 'docs/in.png', 'media/a%20b.png']);
    } finally {
      rmSync(base, { recursive: true, force: true });
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
