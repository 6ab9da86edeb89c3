import { isExactNumber } from '../../base/json/exactNumber.ts';
import { isRecord, type JsonObject } from '../../base/json/json.ts';
import { MASK, type Mask } from '../../base/text/secrets.ts';
import { maskedWithin } from '../../base/text/maskedWithin.ts';

const SECRET_NAME = /pass(word|phrase|wd)?$|^pwd$|secret|token|api_?key|authorization|credential|private_?key|cookie/i;
// Forms of tokens that are known by their look; a text around them stays. One that can fail late begins at one place only.
const SECRET_TEXT =
  /\b(?:gh[opsur]_\w{20,}|github_pat_\w{20,}|sk-[\w-]{16,}|xox[abposr]-[\w-]{10,}|AKIA[0-9A-Z]{16}|ya29\.[\w-]{20,})|(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*|(?<=\b(?:bearer|basic)\s)[\w.~+/=-]{8,}|(?<=:\/\/[^\s/:@]*:)[^\s/@]+(?=@)|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gi;

/** Arguments as they are kept: without the secrets that servers were given, and without what looks like a secret. */
export function recordedArguments(args: JsonObject, mask: Mask): JsonObject {
  return masked(maskedWithin(args, mask)) as JsonObject;
}

/** The value with secrets masked: by the name of a member, and by how tokens look. Never longer than the value. */
function masked(value: unknown, name = ''): unknown {
  if (SECRET_NAME.test(name) && scalarText(value) !== undefined) return MASK;
  if (typeof value === 'string') return maskedText(value);
  if (Array.isArray(value)) return value.map((item) => masked(item, name));
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, masked(item, key)]));
  return value;
}

/** A text, or a number as it is written. */
function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return typeof value === 'object' && value !== null && isExactNumber(value) ? value.rawJSON : undefined;
}

/** The text with what looks like a token masked. */
function maskedText(text: string): string {
  return text.replace(SECRET_TEXT, MASK);
}

/** A text as it is kept: also without what is masked by its name in the arguments, since servers repeat what they were given. */
export function recordedText(text: string, args: unknown, mask: Mask): string {
  const secrets = secretsIn(args, '').toSorted((one, other) => other.length - one.length);
  return maskedText(secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK), mask(text)));
}

/** What is too short would take ordinary words out of the text. */
const MIN_SECRET = 4;

function secretsIn(value: unknown, name: string): readonly string[] {
  const text = scalarText(value);
  if (text !== undefined) {
    return SECRET_NAME.test(name) && text.length >= MIN_SECRET ? [text] : [];
  }
  if (Array.isArray(value)) return value.flatMap((item) => secretsIn(item, name));
  return isRecord(value) ? Object.entries(value).flatMap(([key, item]) => secretsIn(item, key)) : [];
}
