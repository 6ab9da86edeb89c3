import { isExactNumber } from '../json/exactNumber.ts';
import { isRecord } from '../json/json.ts';
import { isSecret, MASK, SECRET_NAME as ANY_SECRET_NAME } from './secrets.ts';

/** Names of what is secret whatever it looks like. Others of `ANY_SECRET_NAME` are as often names of what isn't. */
const SECRET_NAME =
  /pass(word|phrase|wd|code)?$|^pwd$|secret|token|(?:api|access|private)[-_]?key|authorization|credential|cookie/i;
const PIN = /(?:^|[-_])pin$/i;
/** Numbers below such a name count tokens of a model. */
const COUNT_NAME = /tokens$/i;
/** What says a key, a hash or a token, with nothing of a sentence or of code in it; and keys of issues, which are none. */
const TOKEN_LIKE = /^(?=\D*\d)[\w.~+/=-]{6,}$/;
const ISSUE = /^[A-Z][A-Z\d_]*-\d+$/;
// Forms of tokens that are known by their look; a text around them stays. One that can fail late begins at one place only.
const SECRET_TEXT =
  /\b(?:gh[opsur]_\w{20,}|github_pat_\w{20,}|sk-[\w-]{16,}|xox[abposr]-[\w-]{10,}|AKIA[0-9A-Z]{16}|ya29\.[\w-]{20,})|(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*|(?<=\b(?:bearer|basic)\s)[\w.~+/=-]{8,}|(?<=:\/\/[^\s/:@]*:)[^\s/@]+(?=@)|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gi;
/** A parameter of an address, and a member of JSON that is in a text. */
const PARAMETER = /([?&#]([\w.~-]{1,60})=)([^&#\s"'<>]{1,8000})/g;
const JSON_MEMBER = /("([\w.$ -]{1,60})"\s{0,8}:\s{0,8}")((?:[^"\\]|\\.){1,4096})(?=")/g;
/** Where the next page begins: in a text, too, no secret. */
const PAGE_NAME = /(?:page|next|continuation)_?token$/i;
/** Members with schemas: what is below a name there describes it. */
const SCHEMA = /^(?:(?:input|output|requested)Schema|properties|patternProperties|\$defs|definitions)$/;
/** Members of what is secret that say what it is, and whose. */
const ABOUT = /^(?:type|kind|name|key|title|description|scheme|method|format|user(?:name)?|id|url|uri)$/i;
/** What is too short would take ordinary words out of the text. */
const MIN_SECRET = 4;

/** Where a value stands. */
interface Context {
  readonly harmless: ReadonlySet<string> | undefined;
  readonly name: string;
  /** Below a member whose name says that it is secret. */
  readonly isBelow: boolean;
  readonly isSchema: boolean;
}

/**
 * The value with secrets masked: by the name of a member, and by how tokens look. Never longer than the value.
 * @param harmless names of members that only sound like secrets
 */
export function withoutSecretLooks(value: unknown, harmless?: ReadonlySet<string>): unknown {
  return masked(value, { harmless, name: '', isBelow: false, isSchema: false });
}

function masked(value: unknown, context: Context): unknown {
  if (isHidden(value, context)) return MASK;
  if (typeof value === 'string') return maskedLooks(value);
  if (Array.isArray(value)) return value.map((item) => masked(item, context));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, masked(item, within(context, value, key))]),
  );
}

/** The text with what looks like a token masked, also by the name of a parameter of an address, and of a member of JSON. */
export function maskedLooks(text: string): string {
  const hide = (whole: string, before: string, name: string, value: string): string =>
    isNamedInText(name, value) ? before + MASK : whole;
  return text.replace(SECRET_TEXT, MASK).replace(PARAMETER, hide).replace(JSON_MEMBER, hide);
}

/** The values of members that are named like secrets. */
export function namedSecrets(value: unknown, harmless?: ReadonlySet<string>): readonly string[] {
  return secretsOf(value, { harmless, name: '', isBelow: false, isSchema: false });
}

function secretsOf(value: unknown, context: Context): readonly string[] {
  const text = scalarText(value);
  if (text !== undefined) {
    if (!isHidden(value, context)) return typeof value === 'string' ? secretsInJson(value) : [];
    // An ordinary word stands elsewhere, too.
    const isKnown = text.length >= MIN_SECRET && (isNamed(context.name, value) || isSecret('', text));
    return isKnown ? [text] : [];
  }
  if (Array.isArray(value)) return value.flatMap((item) => secretsOf(item, context));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => secretsOf(item, within(context, value, key)));
}

function secretsInJson(text: string): readonly string[] {
  return [...text.matchAll(JSON_MEMBER)].flatMap(([, , name = '', value = '']) =>
    isNamedInText(name, value) && isSecret(name, value) ? [value] : [],
  );
}

/** The context of a member. A pair like `{ "name": "API_TOKEN", "value": … }` names its value by its name. */
function within(
  { harmless, name, isBelow, isSchema }: Context,
  owner: Readonly<Record<string, unknown>>,
  key: string,
): Context {
  const named = key === 'value' ? (owner['name'] ?? owner['key']) : undefined;
  return {
    harmless,
    name: typeof named === 'string' && SECRET_NAME.test(named) ? named : key,
    isBelow: isBelow || (SECRET_NAME.test(name) && harmless?.has(name) !== true),
    isSchema: isSchema || SCHEMA.test(key),
  };
}

function isHidden(value: unknown, { harmless, name, isBelow, isSchema }: Context): boolean {
  if (scalarText(value) === undefined || harmless?.has(name) === true) return false;
  if (isNamed(name, value)) return true;
  return isBelow && !isSchema && typeof value === 'string' && !ABOUT.test(name) && /^\S{4,}$/.test(value);
}

/** Whether what a scalar is named says that it is secret. */
function isNamed(name: string, value: unknown): boolean {
  if (SECRET_NAME.test(name)) return typeof value === 'string' || !COUNT_NAME.test(name);
  if (typeof value !== 'string' || value.length < MIN_SECRET || !ANY_SECRET_NAME.test(name)) return false;
  return PIN.test(name) ? /^\S+$/.test(value) : TOKEN_LIKE.test(value) && !ISSUE.test(value) && isSecret('', value);
}

function isNamedInText(name: string, value: string): boolean {
  return !PAGE_NAME.test(name) && isNamed(name, value);
}

/** A text, or a number as it is written. */
function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return typeof value === 'object' && value !== null && isExactNumber(value) ? value.rawJSON : undefined;
}
