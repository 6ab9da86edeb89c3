import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/** The languages, as VS Code names their files. */
export const LANGUAGES = ['de', 'es', 'ja', 'zh-cn'];

/**
 * The texts to translate, and where: those of the code by their English, those of the manifest by key.
 * @returns {{ english: Record<string, string>, fileFor: (language: string) => string }[]}
 */
export function textSources() {
  return [
    { english: read('l10n/bundle.l10n.json'), fileFor: (language) => `l10n/bundle.l10n.${language}.json` },
    { english: read('package.nls.json'), fileFor: (language) => `package.nls.${language}.json` },
  ];
}

/**
 * What is wrong with a translation, a line each: texts that are missing or empty, that nobody uses any more, or that lack a placeholder, code,
 * link or setting which the English has.
 * @param {string} language
 * @returns {string[]}
 */
export function translationFaults(language) {
  return textSources().flatMap(({ english, fileFor }) => {
    const file = fileFor(language);
    const translated = existsSync(join(root, file)) ? read(file) : {};
    return [
      ...Object.keys(translated)
        .filter((key) => !(key in english))
        .map((key) => `${file}: unused: ${key}`),
      ...Object.entries(english).flatMap(([key, text]) => {
        const other = translated[key];
        if (!other?.trim()) return [`${file}: missing: ${key}`];
        const lost = fixedParts(text).filter((part) => !other.includes(part));
        return lost.map((part) => `${file}: ${key}: lacks ${part}`);
      }),
    ];
  });
}

/** What every language has alike: `{0}`, code, icons, addresses and commands. */
function fixedParts(text) {
  return [...text.matchAll(/\{\d+\}|`[^`]+`|\$\([\w-]+\)|\((?:command|https):[^)\s]*\)/g)].map(([part]) => part);
}

function read(file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}
