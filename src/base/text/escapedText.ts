import { hidesSomething, HIDDEN_RUN } from './showInvisible.ts';

/** A place in a text: where it begins, and where it ends. */
export type Place = readonly [from: number, to: number];

/** A text as one reads it whose escapes are read, and where its parts stood. */
export interface ReadText {
  readonly text: string;
  /** Where a part of it stands in the text as it is written, without what isn't seen in between. */
  placesOf(part: Place): readonly Place[];
}

const HEX = '[0-9a-f]';
const AFTER = `%[89ab]${HEX}`;
/** One escape each: of terminals, JSON and programming languages, addresses, pages; and what isn't seen. */
const ESCAPES = new RegExp(
  [
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-_]`,
    String.raw`\\(?:u\{${HEX}{1,6}\}|u${HEX}{4}|x${HEX}{2}|[0-3][0-7]{2}|[nrtbf]|[^\w\s])`,
    `%[0-7]${HEX}|%[cd]${HEX}${AFTER}|%e${HEX}(?:${AFTER}){2}|%f[0-7](?:${AFTER}){3}`,
    String.raw`&(?:#x0*${HEX}{1,6}|#0*\d{1,7}|amp|lt|gt|quot|apos);`,
    HIDDEN_RUN,
  ].join('|'),
  'giu',
);
/** Only where there is one of these, or something that isn't seen, can there be any. */
const SIGNS = /[\\%&\r\x1b]/;

/** So many escapes of a text are read; more take too long, and no program writes a value behind so many. */
const MAX_ESCAPES = 10_000;

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text with each escape of the first {@link MAX_ESCAPES} read once, and without what isn't seen; `undefined` where it has none. */
export function readEscapes(text: string): ReadText | undefined {
  if (!SIGNS.test(text) && !hidesSomething(text)) return undefined;
  const pieces: string[] = [];
  const escapes: Escape[] = [];
  let [read, written] = [0, 0];
  for (const match of text.matchAll(ESCAPES)) {
    if (escapes.length === MAX_ESCAPES) break;
    const meant = meaningOf(match[0]);
    if (meant === undefined) continue;
    read += match.index - written;
    pieces.push(text.slice(written, match.index), meant);
    written = match.index + match[0].length;
    escapes.push({ read, length: meant.length, from: match.index, to: written });
    read += meant.length;
  }
  if (escapes.length === 0) return undefined;
  pieces.push(text.slice(written));
  return { text: pieces.join(''), placesOf: (part) => placesAmong(escapes, part) };
}

/** An escape: where it is in the read text, how much it is there, and where it is written. */
interface Escape {
  readonly read: number;
  readonly length: number;
  readonly from: number;
  readonly to: number;
}

function placesAmong(escapes: readonly Escape[], [from, to]: Place): Place[] {
  // The first that ends behind the beginning.
  let [next, high] = [0, escapes.length];
  while (next < high) {
    const middle = (next + high) >> 1;
    const { read = 0, length = 0 } = escapes[middle] ?? {};
    if (read + length <= from) next = middle + 1;
    else high = middle;
  }
  const before = escapes[next - 1];
  let start = before ? before.to + from - before.read - before.length : from;
  const places: Place[] = [];
  let last = { to: start, read: from, length: 0 };
  for (; next < escapes.length; next += 1) {
    const escape = escapes[next];
    if (!escape || escape.read >= to) break;
    if (escape.read < from) start = escape.from;
    if (escape.length === 0) {
      places.push([start, escape.from]);
      start = escape.to;
    }
    last = escape;
  }
  places.push([start, last.to + Math.max(0, to - last.read - last.length)]);
  return places;
}

function meaningOf(escape: string): string | undefined {
  switch (escape[0]) {
    case '\\':
      return ofBackslash(escape);
    case '%':
      return ofPercent(escape);
    case '&':
      if (escape[1] !== '#') return ENTITIES[escape.slice(1, -1).toLowerCase()];
      return /x/i.test(escape[2] ?? '') ? character(escape.slice(3, -1), 16) : character(escape.slice(2, -1), 10);
    default:
      return '';
  }
}

function ofBackslash(escape: string): string | undefined {
  const [, kind = ''] = escape;
  if (escape.length === 2) return CONTROLS[kind] ?? kind;
  if (/\d/.test(kind)) return character(escape.slice(1), 8);
  return character(escape.slice(2).replace(/[{}]/g, ''), 16);
}

function ofPercent(escape: string): string | undefined {
  if (escape.length === 3) return character(escape.slice(1), 16);
  try {
    return decodeURIComponent(escape);
  } catch {
    return undefined;
  }
}

function character(digits: string, radix: number): string | undefined {
  const code = Number.parseInt(digits, radix);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
