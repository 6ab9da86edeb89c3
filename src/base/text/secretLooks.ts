import { isExactNumber } from '../json/exactNumber.ts';
import { isRecord } from '../json/json.ts';
import { MASK } from './secrets.ts';

const SECRET_NAME =
  /pass(word|phrase|wd)?$|^pwd$|secret|token|(?:api|access|private)[-_]?key|authorization|credential|cookie/i;
// Forms of tokens that are known by their look; a text around them stays. One that can fail late begins at one place only.
const SECRET_TEXT =
  /\b(?:gh[opsur]_\w{20,}|github_pat_\w{20,}|sk-[\w-]{16,}|xox[abposr]-[\w-]{10,}|AKIA[0-9A-Z]{16}|ya29\.[\w-]{20,})|(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*|(?<=\b(?:bearer|basic)\s)[\w.~+/=-]{8,}|(?<=:\/\/[^\s/:@]*:)[^\s/@]+(?=@)|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gi;

/**
 * The value with secrets masked: by the name of a member, and by how tokens look. Never longer than the value.
 * @param harmless names of members that only sound like secrets
 */
export function withoutSecretLooks(value: unknown, harmless?: ReadonlySet<string>, name = ''): unknown {
  if (isNamed(name, harmless) && scalarText(value) !== undefined) return MASK;
  if (typeof value === 'string') return maskedLooks(value);
  if (Array.isArray(value)) return value.map((item) => withoutSecretLooks(item, harmless, name));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutSecretLooks(item, harmless, key)]));
}

/** The text with what looks like a token masked. */
export function maskedLooks(text: string): string {
  return text.replace(SECRET_TEXT, MASK);
}

/** What is too short would take ordinary words out of the text. */
const MIN_SECRET = 4;

/** The values of members that are named like secrets. */
export function namedSecrets(value: unknown, harmless?: ReadonlySet<string>, name = ''): readonly string[] {
  const text = scalarText(value);
  if (text !== undefined) return isNamed(name, harmless) && text.length >= MIN_SECRET ? [text] : [];
  if (Array.isArray(value)) return value.flatMap((item) => namedSecrets(item, harmless, name));
  return isRecord(value) ? Object.entries(value).flatMap(([key, item]) => namedSecrets(item, harmless, key)) : [];
}

function isNamed(name: string, harmless: ReadonlySet<string> | undefined): boolean {
  return SECRET_NAME.test(name) && harmless?.has(name) !== true;
}

/** A text, or a number as it is written. */
function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return typeof value === 'object' && value !== null && isExactNumber(value) ? value.rawJSON : undefined;
}
