import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';

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

/** Texts by their English: the bundle's, or those of its only text, a line each, which the English ones beside this file belong to. */
function unpacked(bundle: Texts): ReadonlyMap<string, string> {
  const { texts, ...others } = bundle;
  if (texts === undefined || Object.keys(others).length > 0) return new Map(Object.entries(bundle));
  const english = JSON.parse(readFileSync(join(import.meta.dirname, 'bundle.l10n.json'), 'utf8')) as Texts;
  const keys = english['texts']?.split('\n') ?? [];
  const translated = texts.split('\n');
  // Another build was put in this one's place after the editor read its texts: lines don't belong together any more.
  if (keys.length !== translated.length) return new Map();
  return new Map(keys.map((text, at) => [text, translated[at] ?? text]));
}
