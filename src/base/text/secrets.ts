import { isRecord } from '../json/json.ts';
import { assignments } from './assignments.ts';
import { readEscapes, type Place } from './escapedText.ts';
import { FormIndex, LONG, MAX_ESCAPED, SHORTEST } from './secretForms.ts';

/** What a masked value is shown as. */
export const MASK = '•••';

/** A text without the values that must not be seen. */
export type Mask = (text: string) => string;

/** Shorter values are parts of too many words; those below `LONG` are masked where they stand alone. In UTF-16 units. */
const SHORTEST_UNNAMED = 6;
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
  readonly #maxValues: number;
  #forms: FormIndex | undefined;

  /** @param maxValues the oldest are let go of where there are more */
  constructor(maxValues = MAX_VALUES) {
    this.#maxValues = maxValues;
  }

  /** How many values there are, parts of others with them. */
  get size(): number {
    return this.#values.size;
  }

  /** Adds a value, and what in it is secret for itself, if its name or its look says that it is secret. */
  add(name: string, value: string): void {
    for (const [partName, part] of partsOf(name, value)) {
      if (!isSecret(partName, part) || this.#values.has(part)) continue;
      this.#values.add(part);
      this.#forms?.add(part);
    }
    for (const oldest of this.#values) {
      if (this.#values.size <= this.#maxValues) break;
      this.#values.delete(oldest);
      this.#forms = undefined;
    }
  }

  /** The text with every form of every value masked. */
  readonly mask: Mask = (text) => {
    if (this.#values.size === 0 || text.length < SHORTEST) return text;
    this.#forms ??= new FormIndex(this.#values);
    const found = placesIn(text, this.#forms, MAX_ESCAPED);
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

/** How deep a part of a value is looked for: a token in JSON in JSON in an address. */
const MAX_NESTED = 4;

/** Where values stand in the text, as it is and with its escapes read. */
function placesIn(text: string, forms: FormIndex, depth: number): Place[] {
  const places = forms.placesIn(text);
  const read = depth === 0 ? undefined : readEscapes(text);
  if (!read) return places;
  return places.concat(placesIn(read.text, forms, depth - 1).flatMap((place) => read.placesOf(place)));
}
