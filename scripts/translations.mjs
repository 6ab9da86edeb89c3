// npm run -s translations -- LANGUAGE [FILE]: what its translation lacks. With FILE, a JSON object of texts by key or English: takes those
// into the translation, in the order of the English, and drops what nobody uses any more.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from './lib/paths.mjs';
import { LANGUAGES, textSources, translationFaults } from './lib/translations.mjs';

const [language, file] = process.argv.slice(2);
if (!LANGUAGES.includes(language)) {
  console.error(`Name one of these languages: ${LANGUAGES.join(', ')}.`);
  process.exit(2);
}
if (file) {
  const given = JSON.parse(readFileSync(resolve(file), 'utf8'));
  for (const { english, fileFor } of textSources()) {
    const path = join(root, fileFor(language));
    const known = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
    const all = { ...known, ...given };
    const kept = Object.keys(english).filter((key) => Object.hasOwn(all, key));
    writeFileSync(path, `${JSON.stringify(Object.fromEntries(kept.map((key) => [key, all[key]])), undefined, 2)}\n`);
  }
}
const faults = translationFaults(language);
for (const fault of faults) console.log(fault);
if (faults.length === 0)
  console.log('Nothing is missing. Of a text that is new in the code: `npm run build && npm run docs` first.');
process.exitCode = faults.length > 0 ? 1 : 0;
