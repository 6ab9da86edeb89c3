import * as vscode from 'vscode';
import { saidParts, withFirst } from '../../base/say.ts';
import { translationOf } from './packedL10n.ts';

/** A text of the core (base/say.ts) in the language of the editor; any other text as it is. */
export function localized(text: string): string {
  const said = saidParts(text);
  // The editor logs each text that it has no translation of, and takes `constructor` for one that it has.
  if (!said) return translationOf(text) ?? text;
  const values = said.values.map((value) => (typeof value === 'string' ? localized(value) : value.verbatim));
  const translated = vscode.l10n.t(said.template, ...values);
  return said.recase ? withFirst(translated, said.recase) : translated;
}
