import { createHash } from 'node:crypto';

/** What the editor leaves of a server's name in the names that it makes. */
const MAX_PART = 11;
/** Of a part with a hash. */
const HASH_LENGTH = 4;
/** A name that is cut at a word keeps at least so much; else it is cut within the word. */
const SHORTEST_CUT = 3;
/** Of a name, this much counts; in UTF-16 units. */
const MAX_NAME = 512;
/** What says nothing of a server, at either end of its name. */
const AFFIXES: ReadonlySet<string> = new Set(['mcp', 'server']);
/** Accents: without them, a Latin letter still is the same one. */
const ACCENTS = /[\u0300-\u034e\u0350-\u036f]/gu;
/** Most names; what is below takes some milliseconds to compile. */
const ASCII = /^[\x20-\x7e]*$/;
/** What a callable name can't say: letters and digits of other scripts, and what can't be seen. */
const UNSAYABLE = /(?![\x20-\x7e])[\p{L}\p{N}\p{M}\p{C}\p{Zl}\p{Zp}\u2800]/u;

interface Word {
  readonly separator: string;
  readonly word: string;
}

/**
 * The server part of the callable names of a server's tools, best first, as it can be where no other server has it: lower-case,
 * at most 11 characters of `[a-z0-9_-]`, with no separator at its ends and no `__`. Letter case, accents, the scope
 * of a package, `mcp` and `server` at either end go, and a long name is cut at a word; after that, `mcp` and `server` stay
 * where they have room, and a long name is cut within a word. Empty where letters would be lost: what is left could be the
 * name of another server.
 */
export function readableParts(name: string): readonly string[] {
  const text = sayable(name.slice(0, MAX_NAME));
  if (text === undefined) return [];
  const both = [wordsOf(text.slice(text.lastIndexOf('/') + 1)), wordsOf(text)];
  const parts = [
    ...both.map((words) => cutAtWord(withoutAffixes(words))),
    ...both.map(joined).filter(({ length }) => length <= MAX_PART),
    // More of it than whole words have room for.
    ...both.map((words) => trimmed(joined(withoutAffixes(words)).slice(0, MAX_PART))),
    // It is nothing but affixes.
    ...both.filter((words) => withoutAffixes(words).length === 0).map(cutAtWord),
  ];
  return [...new Set(parts)].filter((part) => part !== '');
}

/**
 * The first part that isn't taken: a readable one, else one with a hash.
 * @param names of the server, the configured one first
 */
export function freePart(id: string, names: readonly [string, ...string[]], taken: ReadonlySet<string>): string {
  const [own = [], shown = []] = names.map(readableParts);
  // What is shown stands for what can't be seen by its number.
  const readable = own.length === 0 ? [] : [...own, ...shown];
  const found = readable.find((part) => !taken.has(part));
  if (found !== undefined) return found;
  const stem = readable[0] ?? joined(wordsOf(names[0].slice(0, MAX_NAME).normalize('NFKD')));
  let part = withHash(stem, names[0]);
  for (let salt = 0; taken.has(part); salt += 1) part = withHash(stem, `${id}\n${salt}`);
  return part;
}

/** A name without accents; `undefined` where it has letters that callable names can't say. */
export function sayable(name: string): string | undefined {
  if (ASCII.test(name)) return name;
  const text = name.normalize('NFKD').replaceAll(ACCENTS, '');
  return UNSAYABLE.test(text) ? undefined : text;
}

/** Whether a text can be a part. */
export function isPart(text: string): boolean {
  return text.length <= MAX_PART && /^[a-z0-9]/.test(text) && /^(?:[a-z0-9-]|_(?!_|$))+$/.test(text);
}

/** The words of a name: what separators, or a capital after a small letter, part. */
function wordsOf(text: string): readonly Word[] {
  const found = text.matchAll(/([^A-Za-z0-9]*)([A-Z]+[0-9]*(?![a-z])|[A-Z]?[a-z0-9]+)/g);
  return Array.from(found, ([, between = '', word = '']) => ({
    separator: between === '' || between === '-' ? between : '_',
    word: word.toLowerCase(),
  }));
}

/** None where the name is nothing but affixes. */
function withoutAffixes(words: readonly Word[]): readonly Word[] {
  const isTelling = ({ word }: Word): boolean => !AFFIXES.has(word);
  return words.slice(words.findIndex(isTelling), words.findLastIndex(isTelling) + 1);
}

function joined(words: readonly Word[]): string {
  return words.map(({ separator, word }, index) => (index === 0 ? word : separator + word)).join('');
}

function cutAtWord(words: readonly Word[]): string {
  const counts = words.map((_, index) => index + 1).toReversed();
  const fitting = counts.map((count) => joined(words.slice(0, count))).find(({ length }) => length <= MAX_PART);
  return fitting !== undefined && (fitting.length >= SHORTEST_CUT || fitting === joined(words))
    ? fitting
    : trimmed(joined(words).slice(0, MAX_PART));
}

function withHash(stem: string, hashed: string): string {
  return `${trimmed(stem.slice(0, MAX_PART - HASH_LENGTH - 1)) || 's'}-${shortHash(hashed, HASH_LENGTH)}`;
}

function trimmed(text: string): string {
  return text.replaceAll(/[_-]+$/g, '');
}

/** The first `length` characters (at most 10) of a SHA-256 of the text in base 36: lower-case letters and digits. */
export function shortHash(text: string, length: number): string {
  const number = createHash('sha256').update(text).digest().readBigUInt64BE();
  return number.toString(36).padStart(13, '0').slice(-length);
}
