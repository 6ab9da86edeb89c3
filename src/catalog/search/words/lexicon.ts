import { IntList } from '../index/intList.ts';
import { hashOf, isWordAt, visitPlainWords, type WordVisitor, foreignWordsOf, termOf } from './splitWords.ts';

const STOP_WORD = -1;
/** Slots of the table for each word in it, at least. */
const SPARSENESS = 2;
const FIRST_SLOTS = 1 << 12;

/**
 * Numbers the terms of a catalog, from 0, and knows the term of each word that it has seen: a text's terms are found
 * without making strings of its words. A table with open addressing, from a word's hash to the word.
 */
export class Lexicon {
  readonly #terms: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #words: string[] = [];
  readonly #hashes = new IntList();
  /** The number of each word's term. */
  readonly #termOfWord = new IntList();
  /** A word's place plus 1, or 0. */
  #slots = new Int32Array(FIRST_SLOTS);
  /** Where the terms go that are found now. */
  #found = new IntList(0);

  /** How many different words there were. */
  get wordCount(): number {
    return this.#words.length;
  }

  get termCount(): number {
    return this.#terms.length;
  }

  /** The number of a term, where a text had it. */
  numberOf(term: string): number | undefined {
    return this.#numbers.get(term);
  }

  termAt(number: number): string {
    return this.#terms[number] ?? '';
  }

  /** Adds the numbers of a text's terms to `found`: its words without stop words, stemmed, in order. */
  addTermsOf(text: string, found: IntList): void {
    const before = found.length;
    this.#found = found;
    if (visitPlainWords(text, this.#addWord)) return;
    found.cut(before);
    for (const word of foreignWordsOf(text)) this.#addWord(word, 0, word.length, hashOf(word));
  }

  readonly #addWord: WordVisitor = (text, start, end, hash) => {
    const term = this.#termOfWord.at(this.#placeOf(text, start, end, hash));
    if (term !== STOP_WORD) this.#found.push(term);
  };

  #placeOf(text: string, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const place = (this.#slots[slot] ?? 0) - 1;
      if (place < 0) return this.#learn(text.slice(start, end).toLowerCase(), hash);
      if (this.#hashes.at(place) === hash && isWordAt(text, start, end, this.#words[place] ?? '')) return place;
      slot = (slot + 1) & mask;
    }
  }

  #learn(word: string, hash: number): number {
    const term = termOf(word);
    this.#termOfWord.push(term === '' ? STOP_WORD : this.#numberFor(term));
    this.#hashes.push(hash);
    const place = this.#words.push(word) - 1;
    if (this.#words.length * SPARSENESS > this.#slots.length) this.#widen();
    else this.#enter(place);
    return place;
  }

  #numberFor(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.#terms.push(term) - 1;
    this.#numbers.set(term, number);
    return number;
  }

  #enter(place: number): void {
    const mask = this.#slots.length - 1;
    const hash = this.#hashes.at(place);
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = place + 1;
  }

  #widen(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let place = 0; place < this.#words.length; place += 1) this.#enter(place);
  }
}
