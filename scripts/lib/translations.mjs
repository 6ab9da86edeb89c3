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
        .filter((key) => !Object.hasOwn(english, key))
        .map((key) => `${file}: unused: ${key}`),
      ...Object.entries(english).flatMap(([key, text]) => {
        const other = Object.hasOwn(translated, key) ? translated[key] : '';
        if (!other.trim()) return [`${file}: missing: ${key}`];
        return textFaults(text, other).map((fault) => `${file}: ${key}: ${fault}`);
      }),
    ];
  });
}

/**
 * What a translation of one text lacks or adds of what every language has alike.
 * @param {string} text English
 * @param {string} other
 * @returns {string[]}
 */
export function textFaults(text, other) {
  const [own, theirs] = [fixedParts(text), fixedParts(other)];
  // Code may be said in words, or be there once more.
  const code = (parts) => parts.filter((part) => !part.startsWith('`'));
  return [
    ...without(own, theirs).map((part) => `lacks ${part}`),
    ...without(code(theirs), code(own)).map((part) => `adds ${part}`),
    ...(UNSEEN.test(other) && !UNSEEN.test(text) ? ['has a character that isn’t seen'] : []),
  ];
}

/** Control characters but for a line's end, and those that change the direction of what stands around them. */
const UNSEEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/;

/** What every language has alike: `{0}`, code, icons, and where links lead. */
function fixedParts(text) {
  return [
    ...text.matchAll(/\{\d+\}|`[^`]+`|\$\([\w-]+\)|\]\([^)]*\)|\b(?:command|https?|vscode):[\w/.:%?&=#{}…-]*[\w/}…]/g),
  ].map(([part]) => part);
}

/** Those of some parts that aren't among others, each as often as it is there too often. */
function without(parts, others) {
  const left = [...others];
  return parts.filter((part) => {
    const at = left.indexOf(part);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function read(file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}
