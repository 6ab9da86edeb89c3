import { strict as assert } from 'node:assert';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import GithubSlugger from 'github-slugger';
import MarkdownIt from 'markdown-it';
import { root } from '../../scripts/lib/paths.mjs';
import { managedFilePath } from '../../src/config/ownSources.ts';

const markdown = new MarkdownIt({ html: true });

/** The documents that people read, from the root. */
const documents = ['.', 'docs', 'demo', 'media/walkthrough', '.github'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

interface Page {
  readonly links: readonly string[];
  readonly anchors: ReadonlySet<string>;
}

const pages = new Map<string, Page>();

/** The links and images of a document, and its headings as GitHub names them. */
function pageOf(file: string): Page {
  const known = pages.get(file);
  if (known) return known;
  const tokens = markdown.parse(readFileSync(join(root, file), 'utf8'), {});
  const slugger = new GithubSlugger();
  const anchors = new Set<string>();
  const links: string[] = [];
  tokens.forEach(({ type, children }, index) => {
    if (type === 'heading_open') {
      const words = tokens[index + 1]?.children?.filter((each) => each.type === 'text' || each.type === 'code_inline');
      anchors.add(slugger.slug(words?.map(({ content }) => content).join('') ?? ''));
    }
    for (const child of children ?? []) {
      const target = child.attrGet('href') ?? child.attrGet('src');
      if (target !== null) links.push(target);
    }
  });
  const page = { links, anchors };
  pages.set(file, page);
  return page;
}

describe('links', () => {
  it('of each document lead to a file and a heading that are there', () => {
    const broken: string[] = [];
    let count = 0;
    for (const file of documents) {
      for (const link of pageOf(file).links) {
        if (/^[a-z]+:/i.test(link)) continue;
        count += 1;
        const [path = '', anchor] = decodeURI(link).split('#');
        const target = path === '' ? join(root, file) : join(root, dirname(file), path);
        const isThere = existsSync(target) && (!anchor || hasHeading(target, anchor));
        if (!isThere) broken.push(`${file}: ${link}`);
      }
    }
    assert.ok(count > 50);
    assert.deepEqual(broken, []);
  });

  it('to other sites are https', () => {
    const links = documents.flatMap((file) => pageOf(file).links.map((link) => `${file}: ${link}`));
    assert.deepEqual(
      links.filter((link) => /: http:/.test(link) && !/localhost|127\.0\.0\.1/.test(link)),
      [],
    );
  });

  it('lead to each page of docs/ from the README or another page', () => {
    const linked = new Set(
      documents.flatMap((file) =>
        pageOf(file)
          .links.map((link) => join(dirname(file), link.split('#')[0] ?? ''))
          .filter((target) => target !== file),
      ),
    );
    assert.deepEqual(
      documents.filter((file) => file.startsWith('docs') && !linked.has(file)),
      [],
    );
  });
});

describe('managed files', () => {
  it('are those that the documents name, on each system', () => {
    const places = (['linux', 'darwin', 'win32'] as const).map((platform) => managedFilePath({ platform }));
    for (const file of ['docs/platforms.md', 'docs/configuration.md']) {
      const text = readFileSync(join(root, file), 'utf8');
      for (const place of places) assert.ok(text.includes(`\`${place}\``), `${file}: ${place}`);
    }
    // Those of administrators that code knows: what is said to be all of them.
    const known = new Set<string>();
    for (const file of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue;
      const code = readFileSync(join(root, 'src', file), 'utf8');
      for (const [, place = ''] of code.matchAll(
        /['"`]((?:\/etc|\/Library|[A-Z]:\\\\Program)[^'"`\n]*\.(?:json|toml|plist))['"`]/g,
      ))
        known.add(place.replaceAll('\\\\', '\\'));
    }
    assert.deepEqual([...known].sort(), [...places].sort());
  });
});

function hasHeading(file: string, anchor: string): boolean {
  if (statSync(file).isDirectory() || !file.endsWith('.md')) return /^L\d+/.test(anchor);
  return pageOf(relative(root, file)).anchors.has(anchor);
}
