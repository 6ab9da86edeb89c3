import * as vscode from 'vscode';
import { saidParts, withFirst } from '../base/say.ts';

/** A text of the core (base/say.ts) in the language of the editor; any other text as it is. */
export function localized(text: string): string {
  const said = saidParts(text);
  if (!said) return isTranslated(text) ? vscode.l10n.t(text) : text;
  const translated = vscode.l10n.t(said.template, ...said.values.map(localized));
  return said.recase ? withFirst(translated, said.recase) : translated;
}

/** The editor writes each text that it has no translation of into its log, and takes `constructor` for one that it has. */
function isTranslated(text: string): boolean {
  const { bundle } = vscode.l10n;
  return bundle !== undefined && Object.hasOwn(bundle, text);
}
