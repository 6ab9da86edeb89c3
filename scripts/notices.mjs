// node scripts/notices.mjs [--check]: writes THIRD-PARTY-NOTICES.txt, the licences of everything that the bundles hold.
// Needs a build: out/dist.json says what went into them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPackages } from './lib/bundled-packages.mjs';
import { root } from './lib/paths.mjs';

/** The licence that a package ships, or what its manifest says of it. */
function licenceOf(name) {
  const folder = join(root, 'node_modules', name);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file) return readFileSync(join(folder, file), 'utf8').trim();
  return `Licensed under ${JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).license}.`;
}

const CODICONS = `Copyright (c) Microsoft Corporation. The icons are licensed under the Creative Commons Attribution 4.0
International Public License, https://creativecommons.org/licenses/by/4.0/legalcode. Their outlines are drawn
in the colours of the theme.`;
const wordNet = /\/\*\n([^]*?)\n\*\//.exec(
  readFileSync(join(root, 'src', 'catalog', 'search', 'words', 'synonymTable.ts'), 'utf8'),
)[1];
const line = '-'.repeat(80);
/** @type {Map<string, string[]>} by licence, which stands there once, the packages that have it */
const packagesOf = new Map();
for (const name of bundledPackages()) {
  const licence = licenceOf(name);
  packagesOf.set(licence, [...(packagesOf.get(licence) ?? []), name]);
}
const sections = [
  ...[...packagesOf].map(([licence, names]) => [names.join('\n'), licence]),
  ['WordNet (a table of related words is made from it)', wordNet],
  ['Codicons (icons in the pictures of the walkthrough)', CODICONS],
];
const text = [
  'MCP Switchboard includes the following third-party material.',
  ...sections.map(([name, licence]) => `${line}\n${name}\n${line}\n${licence}`),
]
  .join('\n\n')
  .replaceAll('\r\n', '\n')
  .replaceAll(/[ \t]+$/gm, '');

const file = join(root, 'THIRD-PARTY-NOTICES.txt');
if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== `${text}\n`) {
    console.error('THIRD-PARTY-NOTICES.txt is out of date: run `npm run docs` after a build.');
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, `${text}\n`);
}
