import * as vscode from 'vscode';
import { saidParts, withFirst } from '../base/say.ts';

/** A text of the core (base/say.ts) in the language of the editor; any other text as it is. */
export function localized(text: string): string {
  const said = saidParts(text);
  // A text without values needs no memory of how it was made.
  if (!said) return vscode.l10n.t(text);
  const translated = vscode.l10n.t(said.template, ...said.values.map(localized));
  return said.recase ? withFirst(translated, said.recase) : translated;
}
