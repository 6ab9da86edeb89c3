import { stemmer } from 'stemmer';

/** English words that say nothing about which tool is meant. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about all also am an and any are as at be been being both but by can could did do does doing done each else ' +
    'every for from get gets getting give given gives had has have having he help her here hers him his how i if in ' +
    'into is it its just kindly let like may me might mine must my need needed needs no nor not of on one ones only ' +
    'or other our ours out over own per please provide provided provides several shall she should show so some such ' +
    'tell than thank thanks that the their them then there these they this those through to too under up us use used ' +
    'user uses using various very via want wanted wants was we were what when where whether which while who whom ' +
    'whose why will wish with within without would you your yours m s t re ve ll d'
  ).split(' '),
);

/** Scripts written without spaces between words: looked up by pairs of characters. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const UNSPACED_RUN = new RegExp(`(${UNSPACED.source}+)`, 'u');

/**
 * The words of a text, in order, lower-case: split at what isn't a letter or digit, at the humps of camel case and
 * between letters and digits. Runs of scripts without spaces give their pairs of characters.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  const isPlain = visitPlainWords(text, (_text, start, end) => words.push(text.slice(start, end).toLowerCase()));
  return isPlain ? words : foreignWordsOf(text);
}

/** The same for a text that isn't plain. */
export function foreignWordsOf(text: string): string[] {
  const words: string[] = [];
  for (const word of text.normalize('NFKC').match(ANY_WORD) ?? []) {
    const small = word.toLowerCase();
    if (UNSPACED.test(small)) words.push(...splitUnspaced(small));
    else words.push(small);
  }
  return words;
}

const ANY_WORD = /\p{Lu}+(?!\p{Ll})\p{M}*|\p{Lu}?[\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{M}]+|\p{N}+/gu;

function splitUnspaced(word: string): string[] {
  return word.split(UNSPACED_RUN).flatMap((part) => (UNSPACED.test(part) ? pairsOf(part) : part ? [part] : []));
}

/** Words that have an English stem. */
const ENGLISH = /^[a-z]+$/;

/** The term of a lower-case word: its stem (Porter), or the empty string for a stop word. */
export function termOf(word: string): string {
  if (STOP_WORDS.has(word)) return '';
  return ENGLISH.test(word) ? stemmer(word) : word;
}

/** Makes terms of texts, and remembers the stem of each word it has seen. */
export class TermMaker {
  readonly #terms = new Map<string, string>();

  /** The terms that a text is indexed and found by: its words without stop words, stemmed, in order. */
  termsOf(text: string): string[] {
    return this.termsOfWords(wordsOf(text));
  }

  termsOfWords(words: readonly string[]): string[] {
    const terms: string[] = [];
    for (const word of words) {
      const term = this.#termOf(word);
      if (term !== '') terms.push(term);
    }
    return terms;
  }

  /** The empty text for a stop word. */
  #termOf(word: string): string {
    const known = this.#terms.get(word);
    if (known !== undefined) return known;
    const term = termOf(word);
    if (this.#terms.size >= MAX_REMEMBERED) this.#terms.clear();
    this.#terms.set(word, term);
    return term;
  }
}

const MAX_REMEMBERED = 100_000;

function pairsOf(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}

/** Gets each word of a text: where it is, and its hash. */
export type WordVisitor = (text: string, start: number, end: number, hash: number) => void;

const NO_LETTER = /^[\p{P}\p{S}\p{Z}]/u;

/** What a character of ASCII is for a word: nothing, a small letter, a capital or a digit. */
const NOTHING = 0;
const SMALL = 1;
const CAPITAL = 2;
const DIGIT = 3;
const KINDS = Uint8Array.from({ length: 128 }, (_unused, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return SMALL;
  if (/[A-Z]/.test(character)) return CAPITAL;
  return /[0-9]/.test(character) ? DIGIT : NOTHING;
});
/** Makes a small letter of a capital, and leaves a small letter or a digit as it is. */
const SMALL_BIT = 0x20;
/** Of the hash by Fowler, Noll and Vo (1a, 32 bits); its start is chance, so that no server can have words that collide. */
const HASH_START = Math.trunc(Math.random() * 2 ** 32) | 0;
const HASH_FACTOR = 0x01000193;

/**
 * Finds the words of a text that has no letters but those of ASCII, in one pass that makes no strings, since every text
 * of the catalog goes through it: runs of one kind, save that the last of several capitals belongs to the small letters
 * after it. False for any other text: what was found till then doesn't count.
 */
export function visitPlainWords(text: string, visit: WordVisitor): boolean {
  let kind = NOTHING;
  let start = 0;
  let hash = HASH_START;
  /** The hash without the last character. */
  let before = HASH_START;
  let lastCode = 0;
  for (let at = 0; at < text.length; at += 1) {
    let code = text.charCodeAt(at);
    if (code > 127) {
      if (isForeignLetter(text, at, code)) return false;
      code = 0;
    }
    const next = KINDS[code] ?? NOTHING;
    code |= SMALL_BIT;
    if (next !== kind) {
      if (kind === CAPITAL && next === SMALL) {
        if (at - 1 > start) visit(text, start, at - 1, before);
        start = at - 1;
        hash = mix(HASH_START, lastCode);
      } else {
        if (kind !== NOTHING) visit(text, start, at, hash);
        start = at;
        hash = HASH_START;
      }
      kind = next;
    }
    before = hash;
    hash = mix(hash, code);
    lastCode = code;
  }
  if (kind !== NOTHING) visit(text, start, text.length, hash);
  return true;
}

/** What is known of a character above ASCII, by its code: 0 nothing, 1 no letter, 2 a letter or the like. */
const known = new Uint8Array(0x1_0000);

/** Of a pair of surrogates, both count as the character that they make. */
function isForeignLetter(text: string, at: number, code: number): boolean {
  const isSurrogate = code >= 0xd8_00 && code <= 0xdf_ff;
  if (!isSurrogate && known[code] !== 0) return known[code] === 2;
  const from = code >= 0xdc_00 && isSurrogate ? Math.max(0, at - 1) : at;
  const isForeign = !NO_LETTER.test(String.fromCodePoint(text.codePointAt(from) ?? 0));
  if (!isSurrogate) known[code] = isForeign ? 2 : 1;
  return isForeign;
}

/** The hash that {@link visitPlainWords} gives, for a word in small letters. */
export function hashOf(word: string): number {
  let hash = HASH_START;
  for (let at = 0; at < word.length; at += 1) hash = mix(hash, word.charCodeAt(at));
  return hash;
}

/** Whether this part of a text is the word, which is in small letters. */
export function isWordAt(text: string, start: number, end: number, word: string): boolean {
  if (end - start !== word.length) return false;
  for (let at = 0; at < word.length; at += 1) {
    const wanted = word.charCodeAt(at);
    const code = text.charCodeAt(start + at);
    if (code !== wanted && ((code | SMALL_BIT) !== wanted || code > 127)) return false;
  }
  return true;
}

function mix(hash: number, code: number): number {
  return Math.imul(hash ^ code, HASH_FACTOR);
}
