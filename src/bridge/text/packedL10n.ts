import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { sha256 } from '../../base/json/json.ts';

type Texts = Readonly<Record<string, string>>;

/** What `vscode.l10n` is in the bundles (scripts/lib/packed-texts.mjs): texts look the same, and the package is 80 kB smaller. */
export const packedL10n = {
  /**
   * A text in the language of the editor, with its values.
   * @param message in English, with `{0}` for the first value
   */
  t(message: string, ...values: readonly (string | number | boolean)[]): string {
    const translated = translationOf(message) ?? message;
    return translated.replaceAll(/\{(\d+)\}/g, (whole, at: string) => String(values[Number(at)] ?? whole));
  },
};

let read: { readonly bundle: Texts; readonly texts: ReadonlyMap<string, string> } | undefined;

/** A text of ours in the language of the editor; `undefined` in English, and for a text that isn't one of ours. */
export function translationOf(english: string): string | undefined {
  const { bundle } = vscode.l10n;
  if (!bundle) return undefined;
  if (read?.bundle !== bundle) read = { bundle, texts: unpacked(bundle) };
  return read.texts.get(english);
}

/** Texts by their English: the bundle's, or those of its member `texts`, a line each, which the English ones beside this file belong to. */
function unpacked(bundle: Texts): ReadonlyMap<string, string> {
  const { texts, english, ...others } = bundle;
  if (texts === undefined || english === undefined || Object.keys(others).length > 0)
    return new Map(Object.entries(bundle));
  const beside = englishBeside();
  const keys = beside.split('\n');
  const translated = texts.split('\n');
  // Another build was put in this one's place after the editor read its texts: lines don't belong together any more.
  if (sha256(beside) !== english || keys.length !== translated.length) return new Map();
  return new Map(keys.map((text, at) => [text, translated[at] ?? text]));
}

/** The English texts, a line each; empty where they can't be read, while another build is put in this one's place. */
function englishBeside(): string {
  try {
    const read = JSON.parse(readFileSync(join(import.meta.dirname, 'bundle.l10n.json'), 'utf8')) as Texts;
    return read['texts'] ?? '';
  } catch {
    return '';
  }
}
