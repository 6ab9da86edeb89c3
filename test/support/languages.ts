import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packTexts } from '../../scripts/lib/packed-texts.mjs';
import { pseudo } from '../../scripts/lib/pseudo.mjs';
import { LANGUAGES } from '../../scripts/lib/translations.mjs';
import type { AgentWindow } from './agentWindow.ts';

/** A language that nobody speaks: longer, accented texts. */
export const PSEUDO = 'qps-ploc';
export const ALL_LANGUAGES: readonly string[] = [...LANGUAGES, PSEUDO];

type Texts = Readonly<Record<string, string>>;

const read = (file: string): Texts => JSON.parse(readFileSync(file, 'utf8')) as Texts;

/** Gives an installed extension its texts in the language that nobody speaks. */
export function addPseudoLanguage(extension: string, english: string): void {
  const changed = (texts: Texts): string =>
    JSON.stringify(Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, pseudo(text)])));
  writeFileSync(join(extension, `package.nls.${PSEUDO}.json`), changed(read(join(english, 'package.nls.json'))));
  const texts = read(join(english, 'l10n/bundle.l10n.json'));
  const accented = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, pseudo(text)]));
  writeFileSync(bundleOf(extension, `.${PSEUDO}`), packTexts(Object.keys(texts), accented));
}

/** Takes back what {@link addPseudoLanguage} added. */
export function removePseudoLanguage(extension: string): void {
  for (const file of [join(extension, `package.nls.${PSEUDO}.json`), bundleOf(extension, `.${PSEUDO}`)]) rmSync(file);
}

/** A bundle of texts in the package, as scripts/lib/packed-texts.mjs makes it; English without a language. */
const bundleOf = (extension: string, language = ''): string => join(extension, 'dist', `bundle.l10n${language}.json`);

/** What an extension says in a language: texts of the code by their English. */
export function textsIn(
  extension: string,
  language: string,
): (english: string, ...values: readonly string[]) => string {
  const [keys = [], texts = []] = ['', `.${language}`].map((each) =>
    read(bundleOf(extension, each))['texts']?.split('\n'),
  );
  return (english, ...values) => {
    const text = texts[keys.indexOf(english)];
    if (text === undefined) throw new Error(`No text in ${language}: ${english}`);
    return text.replaceAll(/\{(\d+)\}/g, (_, at: string) => values[Number(at)] ?? '');
  };
}

/**
 * Folders of extensions that make the editor speak these languages: packs without texts of the editor itself, which can't be had
 * here, so that its own texts stay English and those of extensions don't.
 */
export function languagePacks(folder: string): readonly string[] {
  return ALL_LANGUAGES.map((language) => {
    const pack = join(folder, `pack-${language}`);
    mkdirSync(pack, { recursive: true });
    const translations = [{ id: 'vscode', path: './main.i18n.json' }];
    const manifest = {
      name: `pack-${language}`,
      publisher: 'test',
      version: '1.0.0',
      engines: { vscode: '*' },
      contributes: { localizations: [{ languageId: language, languageName: language, localizedLanguageName: language, translations }] }, // prettier-ignore
    };
    writeFileSync(join(pack, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(pack, 'main.i18n.json'), '{"version":"1.0.0","contents":{}}');
    return pack;
  });
}

/** Opens the editor in another language, for somebody who was never there. */
export async function showIn(window: AgentWindow, language: string): Promise<void> {
  const { dataDir } = window.editor;
  const entries = ALL_LANGUAGES.map((each) => {
    const id = `test.pack-${each}`;
    const file = join(dataDir, 'extensions', `${id}-1.0.0`, 'main.i18n.json');
    return [each, { hash: each, label: each, extensions: [{ extensionIdentifier: { id }, version: '1.0.0' }], translations: { vscode: file } }]; // prettier-ignore
  });
  writeFileSync(join(dataDir, 'data', 'languagepacks.json'), JSON.stringify(Object.fromEntries(entries)));
  writeFileSync(join(dataDir, 'data', 'User', 'argv.json'), JSON.stringify({ locale: language }));
  await window.openElsewhere();
}
