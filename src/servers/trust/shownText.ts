import { sha256 } from '../../base/json.ts';
import { variablesIn } from '../../config/variables/variableSyntax.ts';

/** Names whose literal values aren't shown. */
export const SECRET_NAME = /token|key|secret|passw|auth|cookie|credential|session/i;

/** What a value is shown as: with a variable in it, as written; a covered one by a hash, so that a change shows. */
export function shown(name: string, value: string): string {
  return SECRET_NAME.test(name) && value !== '' && variablesIn(value).length === 0
    ? `(a fixed text, ${sha256(value).slice(0, 8)})`
    : quoted(value);
}

/** A word as it is, and in quotes where one couldn't see where it ends. */
export function quoted(word: string): string {
  return word === '' || /[\s"']/.test(word) ? JSON.stringify(word) : word;
}
