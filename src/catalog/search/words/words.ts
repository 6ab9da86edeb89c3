import { visitPlainWords } from './plainWords.ts';
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

/** The term that a word in small letters counts as: its stem, or the empty text for a stop word. */
export function termOf(word: string): string {
  return STOP_WORDS.has(word) ? '' : stem(word);
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
