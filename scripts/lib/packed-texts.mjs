import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/** The module that stands in for `vscode.l10n` in what is bundled. */
const READER = 'bridge/text/packedL10n.ts';
const SOURCES = `${root.replaceAll('\\', '/')}/src/`;

/**
 * The bundles of texts in a form that takes 80 kB less in a package: the English texts, by which a translation is looked up, stand in one
 * file instead of in each. Its lines and those of a language's file belong together. Written into `folder`, for src/bridge/text/packedL10n.ts.
 * @param {string} folder
 */
export function writePackedTexts(folder) {
  const read = (/** @type {string} */ name) => JSON.parse(readFileSync(join(root, 'l10n', name), 'utf8'));
  const english = Object.keys(read('bundle.l10n.json'));
  for (const name of readdirSync(join(root, 'l10n'))) writeFileSync(join(folder, name), packTexts(english, read(name)));
}

/**
 * A bundle of texts as it is in the package: still one that the editor reads, with two texts in it: `texts`, a line for each, and `english`, the
 * SHA-256 of those that they belong to, line by line.
 * @param {readonly string[]} english each of one line
 * @param {Readonly<Record<string, string>>} translated
 * @returns {string} JSON
 */
export function packTexts(english, translated) {
  // A text without a translation stays English.
  const texts = english.map((key) => (Object.hasOwn(translated, key) ? translated[key] : key));
  const broken = texts.find((text) => text.includes('\n'));
  if (broken !== undefined) throw new Error(`A text for translators has more than one line: ${broken}`);
  return JSON.stringify({ texts: texts.join('\n'), english: sha256(english.join('\n')) });
}

/** @param {string} text */
function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * The bundler's part: `vscode.l10n` becomes the module that reads packed texts. In the sources it stays what every extension has.
 * @returns {import('rolldown').Plugin}
 */
export function packedTexts() {
  return {
    name: 'packed texts',
    transform(code, id) {
      const file = id.replaceAll('\\', '/');
      if (file === SOURCES + READER || !file.startsWith(SOURCES) || !code.includes('vscode.l10n')) return null;
      const changed = code.replaceAll(/\bvscode\.l10n\b/g, 'packedL10n');
      // No line moves, so the map stays as it is.
      return { code: `import { packedL10n } from ${JSON.stringify(SOURCES + READER)}; ${changed}`, map: null };
    },
  };
}
