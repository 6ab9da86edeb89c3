import { TooDeep } from './readingLimits.ts';
import { NextOf } from './stringEnd.ts';

/** So far the end of a string is looked for character by character, which takes less time than to look for it at once. */
const NEAR = 48;

/** A piece of a string is longer than any escape. */
export const MIN_STRING_PIECE = 8;

export const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a];
export const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const BACKSLASH = 0x5c;
const [ZERO, NINE, DOT, MINUS, PLUS, EXPONENT] = [0x30, 0x39, 0x2e, 0x2d, 0x2b, 0x65];
/** What makes a capital letter a small one. */
const LOWER = 0x20;
/** A program may write otherwise: a number of so many signs, one with an exponent, a fraction that ends in 0, and a tiny one. */
const LONG_NUMBER = 16;
const TINY = /-?0\.0{6}/y;

/** Looks in a text of JSON for where its parts end, reads none of them, and notes how they are written. Places are in characters. */
export class JsonScan {
  readonly #text: string;
  readonly #maxNesting: number;
  readonly #quotes: NextOf;
  /** Whether `JSON.stringify` may write a number of it otherwise; see `mayHaveExactNumbers`. */
  mayHaveExactNumbers = false;
  /** Whether there are blanks between its parts. */
  hasBlanks = false;

  /** @param maxNesting what is nested deeper is `TooDeep` */
  constructor(text: string, maxNesting: number) {
    this.#text = text;
    this.#maxNesting = maxNesting;
    this.#quotes = new NextOf(text, '"');
  }

  /**
   * Where the members from `from` on end, or the last comma between two of them within the limit.
   * @param levels how deep they are
   */
  endOfRun(from: number, limit: number, levels: number): number | undefined {
    const text = this.#text;
    const until = Math.min(limit, text.length);
    let depth = 0;
    let comma: number | undefined;
    for (let at = from; at < until; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        const end = this.endOfString(at, limit);
        if (end === undefined) return comma;
        at = end - 1;
      } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
        depth += 1;
        this.#checkNesting(levels + depth);
      } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth -= 1;
      else if (code !== COMMA) at = this.#passed(at, code, until);
      else if (depth === 0) comma = at;
      if (depth < 0) return at;
    }
    return comma;
  }

  /** Where what is between strings and brackets is passed. */
  #passed(at: number, code: number, until: number): number {
    if (isBlank(code)) this.hasBlanks = true;
    else if ((code >= ZERO && code <= NINE) || code === MINUS) return this.#passedNumber(at, until);
    return at;
  }

  #passedNumber(start: number, until: number): number {
    let hasDot = false;
    let hasExponent = false;
    let at = start + 1;
    for (; at < until; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code >= ZERO && code <= NINE) continue;
      if (code === DOT) hasDot = true;
      else if ((code | LOWER) === EXPONENT) hasExponent = true;
      else if (code !== MINUS && code !== PLUS) break;
    }
    const isLong = at - start >= LONG_NUMBER;
    const isFraction = hasDot && (this.#text.charCodeAt(at - 1) === ZERO || this.#isTiny(start));
    if (hasExponent || isLong || isFraction) this.mayHaveExactNumbers = true;
    return at - 1;
  }

  #isTiny(start: number): boolean {
    TINY.lastIndex = start;
    return TINY.test(this.#text);
  }

  #checkNesting(levels: number): void {
    if (levels > this.#maxNesting) throw new TooDeep();
  }

  /** Behind the value that begins at `from`; `undefined`: not within the limit. */
  endOfValue(from: number, limit: number, levels: number): number | undefined {
    const text = this.#text;
    const until = Math.min(limit, text.length);
    let depth = 0;
    for (let at = from; at < until; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        const end = this.endOfString(at, limit);
        if (end === undefined) return undefined;
        at = end - 1;
      } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
        depth += 1;
        this.#checkNesting(levels + depth);
      } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth -= 1;
      else if (depth > 0 || (code !== COMMA && !isBlank(code))) {
        at = this.#passed(at, code, until);
        continue;
      }
      // Of a number or a word, what is behind it; of all else, its last character.
      if (depth < 0 || (depth === 0 && (code === COMMA || isBlank(code)))) return at;
      if (depth === 0) return at + 1;
    }
    return undefined;
  }

  /** Behind the quote that ends the string: one behind an even number of backslashes. */
  endOfString(start: number, limit: number): number | undefined {
    const near = Math.min(start + NEAR, limit, this.#text.length);
    for (let at = start + 1; at < near; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code === QUOTE) return at + 1;
      if (code === BACKSLASH) break;
    }
    for (let quote = this.#quotes.find(start + 1); quote < limit && quote < this.#text.length;) {
      let first = quote;
      while (first > start + 1 && this.#text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
      if ((quote - first) % 2 === 0) return quote + 1;
      quote = this.#quotes.find(quote + 1);
    }
    return undefined;
  }
  /** Where a string can be parted: not within an escape. */
  cutOfString(start: number, piece: number): number {
    const end = Math.min(start + piece, this.#text.length);
    const [escape] =
      /\\(?:u[\da-f]{0,3})?$/i.exec(this.#text.slice(Math.max(start, end - MIN_STRING_PIECE), end)) ?? [];
    if (escape === undefined) return end;
    const backslash = end - escape.length;
    let first = backslash;
    while (first > start && this.#text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    return (backslash - first) % 2 === 0 ? backslash : end;
  }
}

export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
