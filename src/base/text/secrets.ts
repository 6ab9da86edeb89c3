import { isRecord } from '../json/json.ts';
import { assignments } from './assignments.ts';
import { readEscapes, type Place } from './escapedText.ts';

/** What a masked value is shown as. */
export const MASK = '•••';

/** A text without the values that must not be seen. */
export type Mask = (text: string) => string;

/** Shorter values are parts of too many words; those below `LONG` are masked where they stand alone. In UTF-16 units. */
const SHORTEST = 4;
const SHORTEST_UNNAMED = 6;
const LONG = 8;
/** What belongs to one server at most: a helper may give new headers every hour. */
const MAX_VALUES = 1_000;

/** Names of what is secret whatever its value looks like. */
export const SECRET_NAME =
  /pass(?:word|phrase|wd|code)?$|pwd$|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|(?:^|[-_])(?:key|pat|pin|sig|auth)$|authorization|credential|cookie|signature/i;

/** Ordinary words, numbers, versions, paths, host names and addresses, media types: masking them would garble a text. */
const PLAIN = [
  /^(?:[a-z]{1,14}|[A-Z]{1,14}|[A-Z][a-z]{1,13})$/,
  /^[\d.,:+-]*$|^v?\d+(?:\.\d+)+$/,
  /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/][\w.@ \\/:;~-]*$/,
  /^@?[a-z._-]+(?:\/[a-z0-9._-]+)+$/,
  /^(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?$|^localhost:\d+$/,
  /^[a-z]{2}[-_][A-Z]{2}(?:\.[\w-]+)?$|^[a-z]{2}(?:-[a-z]+)+-\d$/,
  /^[a-z][a-z+.-]*:\/\/[^\s@?#]*$/i,
];

/** Whether the value that was given under a name is secret. Values that only look ordinary are where their name says so. */
export function isSecret(name: string, value: string): boolean {
  if (value.length < SHORTEST || /^\d{1,5}$|^(?:true|false|none|null)$/i.test(value)) return false;
  if (SECRET_NAME.test(name)) return true;
  return value.length >= SHORTEST_UNNAMED && !PLAIN.some((form) => form.test(value));
}

/** Values that must not be seen where text leaves this process, in every form in which programs repeat them. */
export class SecretValues {
  readonly #values = new Set<string>();
  #pattern: Pattern | undefined;

  /** Adds a value, and what in it is secret for itself, if its name or its look says that it is secret. */
  add(name: string, value: string): void {
    for (const [partName, part] of partsOf(name, value)) if (isSecret(partName, part)) this.#values.add(part);
    for (const oldest of this.#values) if (this.#values.size > MAX_VALUES) this.#values.delete(oldest);
    this.#pattern = undefined;
  }

  /** The text with every form of every value masked. */
  readonly mask: Mask = (text) => {
    if (this.#values.size === 0 || text.length < SHORTEST) return text;
    this.#pattern ??= patternOf(this.#values);
    const found = placesIn(text, this.#pattern, MAX_ESCAPED);
    if (found.length === 0) return text;
    let [masked, end] = ['', -1];
    for (const [from, to] of found.sort(([one], [other]) => one - other)) {
      if (from >= end) masked += text.slice(Math.max(0, end), from) + MASK;
      end = Math.max(end, to);
    }
    return masked + text.slice(end);
  };
}

type Part = readonly [name: string, value: string];

/**
 * A value with the parts of it that programs repeat alone: behind an authentication scheme, in an address, in JSON, in what a
 * JWT or base64 holds, behind a name of a secret, and in each other.
 */
function partsOf(name: string, value: string, depth: number = MAX_NESTED): Part[] {
  if (depth < 0) return [[name, value]];
  const within = ([partName, part]: Part): Part[] => partsOf(partName, part, depth - 1);
  const text = value.trim();
  const scheme = /^(?:bearer|basic|digest|token|apikey)(?:\s+(.*))?$/is.exec(text);
  if (scheme) {
    const rest = scheme[1] ?? '';
    const [user = '', password] = Buffer.from(rest, 'base64').toString('utf8').split(/:(.*)/s);
    const isPair = /^basic/i.test(text) && password !== undefined;
    return [
      ...(rest === '' ? [] : [[name, text] as const, ...within([name, rest])]),
      ...(isPair ? pair(user, password) : []),
    ];
  }
  const lines = text.split(/\r?\n/).filter((line) => line.length >= LONG && !line.startsWith('-----'));
  const parts = addressParts(text);
  return [
    // Of an address only parts are secret, unless its name says otherwise.
    ...(parts && !SECRET_NAME.test(name) ? [] : [[name, value] as const, [name, text] as const]),
    ...(lines.length > 1 ? lines.map((line) => [name, line.trim()] as const) : []),
    ...(parts ?? []).flatMap(within),
    ...jsonParts(text).flatMap(within),
    ...encodedParts(text).flatMap(within),
    ...assignedParts(text).flatMap(within),
    ...(/cookie$/i.test(name) ? text.split(/;\s*/).map((each) => [name, each.replace(/^[^=]*=/, '')] as const) : []),
  ];
}

/** Methods of authentication by their names and numbers: `auth: oauth2`. */
const METHOD = /^(?:oauth|sha|md|hs|rs|es|aes)[-_]?\d+$/i;

/** What a text sets under names of secrets. Behind a colon and a blank, an ordinary word only goes on with a sentence. */
function assignedParts(text: string): Part[] {
  const isOrdinary = (word: string): boolean => [METHOD, ...PLAIN].some((form) => form.test(word));
  return assignments(text, SECRET_NAME)
    .filter(({ value, mayBeProse }) => !mayBeProse || !isOrdinary(value.replace(/^[([`]|[.?:)\]`…]{1,3}$/g, '')))
    .map(({ name, value }) => [name, value]);
}

function pair(user: string, password: string): Part[] {
  return [
    ['password', `${user}:${password}`],
    ['password', password],
  ];
}

/** The user-info, parameters, and path segments that look like keys, of an address. */
function addressParts(text: string): Part[] | undefined {
  const address = /^[a-z][a-z+.-]*:\/\/(?:([^/?#\s]*)@)?[^/?#\s]*([^?#\s]*)(\S*)$/i.exec(text);
  if (!address) return undefined;
  const [, info, path = '', query = ''] = address;
  const [user = '', password] = (info ?? '').split(/:(.*)/s);
  return [
    ...(password === undefined ? [['token', user] as const] : pair(user, password)),
    ...query.split(/[?&#]/).map((each) => [each.split('=', 1)[0] ?? '', each.slice(each.indexOf('=') + 1)] as const),
    ...path.split('/').map((segment) => [looksLikeKey(segment) ? 'key' : 'part', segment] as const),
  ].flatMap(([name, value]) => (name === 'part' ? [] : percentForms(name, value)));
}

/** A value as it is written and, where it has percent escapes, as they read. */
export function percentForms(name: string, value: string): Part[] {
  try {
    return [
      [name, value],
      [name, decodeURIComponent(value.replaceAll('+', ' '))],
    ];
  } catch {
    return [[name, value]];
  }
}

function looksLikeKey(segment: string): boolean {
  return /^[\w-]{16,}$/.test(segment) && (/\d/.test(segment) || /[a-z][A-Z]/.test(segment)) && /[a-z]/i.test(segment);
}

/** What base64 of JSON holds, as in a JWT, under names of secrets: the rest of it says who or what somebody is. */
function encodedParts(text: string): Part[] {
  if (!/^[\w+/-]{16,}={0,2}$|^[\w-]+(?:\.[\w-]+){2,4}$/.test(text)) return [];
  const decoded = text.split('.').map((segment) => Buffer.from(segment, 'base64').toString('utf8'));
  return decoded.flatMap(jsonParts).filter(([name, value]) => SECRET_NAME.test(name) && isSecret('', value));
}

function jsonParts(text: string): Part[] {
  if (!/^[[{]/.test(text)) return [];
  try {
    return leavesOf(JSON.parse(text), '');
  } catch {
    return [];
  }
}

function leavesOf(value: unknown, name: string): Part[] {
  if (typeof value === 'string') return [[name, value]];
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, name));
  return isRecord(value) ? Object.entries(value).flatMap(([key, item]) => leavesOf(item, key)) : [];
}

/** How often a text is escaped at most: JSON in JSON in a page. */
const MAX_ESCAPED = 3;
/** How deep a part of a value is looked for: a token in JSON in JSON in an address. */
const MAX_NESTED = 4;

/** So much of a form is looked for; what follows is compared. Longer ones make a regular expression slow, and then too large. */
const HEAD = 64;

/** What is looked for: the beginnings of all forms, and the forms that are longer. */
interface Pattern {
  readonly heads: RegExp;
  /** By their beginnings, as `folded` gives them. */
  readonly long: ReadonlyMap<string, readonly Form[]>;
}

/** Where a pattern fits the text, as it is and with its escapes read. */
function placesIn(text: string, pattern: Pattern, depth: number): Place[] {
  const places = matchesIn(text, pattern.heads).map(({ 0: { length }, index }): Place => {
    if (length < HEAD - 1) return [index, index + length];
    const heads = new Set([HEAD, HEAD - 1].map((size) => folded(text.slice(index, index + Math.min(size, length)))));
    const forms = [...heads].flatMap((head) => pattern.long.get(head) ?? []);
    const ends = forms.map((form) => endOf(form, text, index));
    return [index, Math.max(index + length, ...ends)];
  });
  const read = depth === 0 ? undefined : readEscapes(text);
  if (!read) return places;
  return places.concat(placesIn(read.text, pattern, depth - 1).flatMap((place) => read.placesOf(place)));
}

/** As `matchAll`, which makes the expression anew for each text: that takes longer than to look for it in a line. */
function matchesIn(text: string, expression: RegExp): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match; match = expression.exec(text)) found.push(match);
  return found;
}

/** Where what stands of a form at a place in a text ends: programs cut long values. */
function endOf(form: Form, text: string, at: number): number {
  let length = 0;
  while (length < form.text.length && isSame(form.text[length], text[at + length])) length += 1;
  const end = at + length;
  if (form.after === '' || length < form.text.length) return end;
  return end + (/^[\w+/-]{0,2}={0,2}/.exec(text.slice(end, end + 4))?.[0].length ?? 0);
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  return one === other || one?.toLowerCase() === other?.toLowerCase();
}

function patternOf(values: Iterable<string>): Pattern {
  const forms = [...values].flatMap(formsOf);
  const heads = new Set(forms.map(({ text, before, after }) => before + escapedPattern(headOf(text)) + after));
  const longestFirst = [...heads].toSorted((one, other) => other.length - one.length);
  const long = new Map(forms.filter(({ text }) => text.length > HEAD).map((form) => [form.text, form]));
  return {
    heads: new RegExp(longestFirst.join('|'), 'giu'),
    long: Map.groupBy(long.values(), ({ text }) => folded(headOf(text))),
  };
}

/** What of a form is looked for. Half of a character fits no text that has all of it. */
function headOf(text: string): string {
  return text.length > HEAD ? text.slice(0, HEAD).replace(/[\ud800-\udbff]$/, '') : text;
}

/** The same for texts that differ in case alone, whatever stands behind a letter. */
function folded(text: string): string {
  return Array.from(text, (sign) => sign.toLowerCase()).join('');
}

/** How a value may be written, and what may stand around that, as regular expressions. */
interface Form {
  readonly text: string;
  readonly before: string;
  readonly after: string;
}

function formsOf(value: string): Form[] {
  // As forms of pages send it, and as it is once escapes are read: where one kind has to be, all are, those of the value, too.
  const sent = new URLSearchParams([['', value]]).toString().slice(1);
  const form = (text: string, before = '', after = ''): Form => ({ text, before, after });
  const plain = [...new Set([value, sent, ...readings(value)])];
  if (value.length < LONG)
    return plain.map((text) => form(text, String.raw`(?<![\p{L}\p{N}_])`, String.raw`(?![\p{L}\p{N}_])`));
  // A JWT holds JSON, and Windows has texts in UTF-16.
  const written = JSON.stringify(value).slice(1, -1);
  const texts = written === value ? [value] : [value, written];
  const encoded = [...texts.map((text) => Buffer.from(text)), Buffer.from(value, 'utf16le')].flatMap((bytes) => {
    const base64 = [0, 1, 2].map((offset) => base64Within(bytes, offset));
    // What is left of the last characters, and their padding.
    const ends = [...base64, ...base64.map(urlSafe)].map((text) => form(text, '', String.raw`[\w+\/-]{0,2}={0,2}`));
    return [form(bytes.toString('hex')), ...ends];
  });
  return [...plain.map((text) => form(text)), ...encoded, ...byteLists(value).map((text) => form(text))];
}

/** The bytes of a value as programs list them by themselves: `<Buffer 61 62>`, `61:62`, `{"data":[97,98]}`, `[97, 98]`. */
function byteLists(value: string): string[] {
  const bytes = [...Buffer.from(value)];
  const digits = bytes.map((byte) => byte.toString(16).padStart(2, '0'));
  return [digits.join(' '), digits.join(':'), bytes.join(','), bytes.join(', ')];
}

/** A value with its own escapes read, once and more often. */
function readings(value: string, depth = MAX_ESCAPED): string[] {
  const read = depth === 0 ? undefined : readEscapes(value)?.text;
  return read === undefined || read.length < SHORTEST ? [] : [read, ...readings(read, depth - 1)];
}

/** What base64 makes of bytes that begin `offset` behind a multiple of three: only what no other byte takes part in. */
function base64Within(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return text.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes.length) * 4) / 3));
}

function urlSafe(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}

function escapedPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
