// npm run docs:site [-- --out DIR]: docs/ and the papers of the root as a site in out/site, with a search that works without a network.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './lib/paths.mjs';
import { pageHtml, SEARCH, searchHtml } from './lib/site-html.mjs';
import { readSite } from './lib/site.mjs';

const { values } = parseArgs({ options: { out: { type: 'string' } } });
const out = resolve(values.out ?? join(root, 'out', 'site'));
// Another folder may be anybody's, so nothing of it goes.
if (values.out === undefined) rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const { pages, sections, images, broken } = readSite();
for (const page of pages) writeFileSync(join(out, page.file), pageHtml(page, sections));
writeFileSync(join(out, SEARCH), searchHtml(sections));
for (const image of images) {
  mkdirSync(dirname(join(out, image)), { recursive: true });
  cpSync(join(root, image), join(out, image));
}
cpSync(join(root, 'scripts/lib/site.css'), join(out, 'site.css'));
cpSync(join(root, 'node_modules/minisearch/dist/umd/index.js'), join(out, 'minisearch.js'));
const entries = pages.flatMap(({ entries: each }) => each);
// A script, so that it works from a folder, where nothing can be fetched.
writeFileSync(join(out, 'search-index.js'), `window.searchEntries = ${JSON.stringify(entries)};\n`);
writeFileSync(join(out, 'search.js'), readFileSync(join(root, 'scripts/lib/site-search.js'), 'utf8'));
for (const link of broken) console.error(`leads nowhere: ${link}`);
console.log(`${out}: ${pages.length} pages, ${entries.length} sections`);
process.exitCode = broken.length > 0 ? 1 : 0;
