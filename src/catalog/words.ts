import { stem } from './stem.ts';

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
  const plain = plainWordsOf(text);
  if (plain) return plain;
  const words: string[] = [];
  for (const word of text.normalize('NFKC').match(ANY_WORD) ?? []) {
    const small = word.toLowerCase();
    if (UNSPACED.test(small)) words.push(...splitUnspaced(small));
    else words.push(small);
  }
  return words;
}

const FOREIGN_LETTER = /[^\x00-\x7F\p{P}\p{S}\p{Z}]/u;

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

/**
 * The words of a text that has no letters but those of ASCII, in one pass, since every text of the catalog goes through
 * it: runs of one kind, save that the last of several capitals belongs to the small letters after it. `undefined` for
 * any other text.
 */
function plainWordsOf(text: string): string[] | undefined {
  const small = text.toLowerCase();
  const words: string[] = [];
  let kind = NOTHING;
  let start = 0;
  let isKnownPlain = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 127 && !isKnownPlain) {
      if (FOREIGN_LETTER.test(text)) return undefined;
      isKnownPlain = true;
    }
    const next = code > 127 ? NOTHING : (KINDS[code] ?? NOTHING);
    if (next === kind) continue;
    if (kind === CAPITAL && next === SMALL) {
      if (at - 1 > start) words.push(small.slice(start, at - 1));
      start = at - 1;
    } else {
      if (kind !== NOTHING) words.push(small.slice(start, at));
      start = at;
    }
    kind = next;
  }
  if (kind !== NOTHING) words.push(small.slice(start));
  return words;
}

const ANY_WORD = /\p{Lu}+(?!\p{Ll})\p{M}*|\p{Lu}?[\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{M}]+|\p{N}+/gu;

function splitUnspaced(word: string): string[] {
  return word.split(UNSPACED_RUN).flatMap((part) => (UNSPACED.test(part) ? pairsOf(part) : part ? [part] : []));
}

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
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
    const term = STOP_WORDS.has(word) ? '' : stem(word);
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
