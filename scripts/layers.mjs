// node scripts/layers.mjs [--check]: writes what scripts/lib/layers.mjs says into .oxlintrc.json and tsconfig.core.json.
// With --check nothing is written, and a file that is out of date is an error.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { format } from 'prettier';
import { filesWithoutEditor, lintOverrides } from './lib/layers.mjs';
import { root } from './lib/paths.mjs';

await update('.oxlintrc.json', 'overrides', lintOverrides());
await update('tsconfig.core.json', 'include', filesWithoutEditor());

/** Sets one member of a JSON file; lines before its first `{` stay. */
async function update(name, member, value) {
  const file = join(root, name);
  const text = readFileSync(file, 'utf8');
  const start = text.indexOf('{');
  const content = JSON.parse(text.slice(start));
  if (isDeepStrictEqual(content[member], value)) return;
  if (process.argv.includes('--check')) {
    console.error(`${name} is out of date: run \`npm run docs\`.`);
    process.exitCode = 1;
    return;
  }
  const next = text.slice(0, start) + JSON.stringify({ ...content, [member]: value });
  writeFileSync(file, await format(next, { parser: 'json', printWidth: 120 }));
}
