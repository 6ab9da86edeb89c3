import { MAX_NESTING } from './jsonDepth.ts';
import type { Steps } from '../timeSlices.ts';
import { TooDeep, TooManyMembers, type ReadingLimits } from './readingLimits.ts';
import { NextOf } from './stringEnd.ts';

/** So much of a text, in characters, or of a value (see `jsonWeight`), is read or written in one step. */
export const PIECE = 64 * 1024;
/** Deeper values are read in one step, however long they are; what servers send has no such (see `isTooDeep`). */
const MAX_DEPTH = MAX_NESTING;
/** A number, a word or a place between two values that is longer makes a text no JSON, where it is longer than a piece. */
const MAX_TOKEN = PIECE;

/** So far the end of a string is looked for character by character, which takes less time than to look for it at once. */
const NEAR = 48;

/** A piece of a string is longer than any escape. */
export const MIN_STRING_PIECE = 8;

/** How a text of JSON is written. */
export interface Written {
  /** Whether `JSON.stringify` may write a number of it otherwise; see `mayHaveExactNumbers`. */
  readonly mayHaveExactNumbers: boolean;
  /** Whether there are blanks between its parts. */
  readonly hasBlanks: boolean;
  /** From where to where an object or an array stands, in characters; of those that are longer than a piece. */
  readonly places: ReadonlyMap<unknown, readonly [from: number, to: number]>;
}

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [ZERO, NINE, DOT, MINUS, PLUS, EXPONENT] = [0x30, 0x39, 0x2e, 0x2d, 0x2b, 0x65];
/** What makes a capital letter a small one. */
const LOWER = 0x20;
/** A program may write otherwise: a number of so many signs, one with an exponent, a fraction that ends in 0, and a tiny one. */
const LONG_NUMBER = 16;
const TINY = /-?0\.0{6}/y;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Reads a text from front to back: the members of long values one by one, and what is short by `JSON.parse`. */
export class PieceReader implements Written {
  readonly #text: string;
  readonly #piece: number;
  readonly #maxMembers: number;
  readonly #onCut: ReadingLimits['onCut'];
  readonly #maxNesting: number;
  readonly #quotes: NextOf;
  #at = 0;
  /** It isn't JSON; what was read is worthless. */
  failed = false;
  mayHaveExactNumbers = false;
  hasBlanks = false;
  readonly places = new Map<unknown, readonly [number, number]>();

  constructor(text: string, piece: number, limits: ReadingLimits) {
    const { maxMembers = Number.POSITIVE_INFINITY, onCut, limitsNesting = false } = limits;
    this.#text = text;
    this.#piece = piece;
    this.#maxMembers = maxMembers;
    this.#onCut = onCut;
    this.#maxNesting = limitsNesting ? MAX_NESTING : Number.POSITIVE_INFINITY;
    this.#quotes = new NextOf(text, '"');
  }

  /** Up to where it is read, in characters. */
  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    this.#skipBlanks();
    return this.#at === this.#text.length;
  }

  *value(depth: number): Steps<unknown> {
    yield;
    this.#skipBlanks();
    const isDeep = depth >= MAX_DEPTH;
    const end = this.#endOfValue(isDeep ? this.#text.length : this.#at + this.#piece, depth);
    if (end !== undefined || isDeep) return this.#parsed(end);
    const start = this.#at;
    const value = this.#take(OPEN_ARRAY)
      ? yield* this.#array(depth)
      : this.#take(OPEN_OBJECT)
        ? yield* this.#object(depth)
        : undefined;
    if (value) this.places.set(value, [start, this.#at]);
    if (value) return value;
    return this.#code === QUOTE ? yield* this.#longString() : this.#parsed(this.#endOfToken(depth));
  }

  *#longString(): Steps<string> {
    const parts: string[] = [];
    const piece = Math.max(this.#piece, MIN_STRING_PIECE);
    for (let at = this.#at + 1; ; yield) {
      const end = this.#endOfString(at - 1, at + piece);
      const cut = end === undefined ? this.#cutOfString(at, piece) : end - 1;
      parts.push(this.#stringOf(at, cut));
      // The text ends within it.
      if (end === undefined && (cut === at || cut === this.#text.length)) this.failed = true;
      this.#at = end ?? cut;
      if (end !== undefined || this.failed) return parts.join('');
      at = cut;
    }
  }

  /** Where a string can be parted: not within an escape. */
  #cutOfString(start: number, piece: number): number {
    const end = Math.min(start + piece, this.#text.length);
    const [escape] =
      /\\(?:u[\da-f]{0,3})?$/i.exec(this.#text.slice(Math.max(start, end - MIN_STRING_PIECE), end)) ?? [];
    if (escape === undefined) return end;
    const backslash = end - escape.length;
    let first = backslash;
    while (first > start && this.#text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    return (backslash - first) % 2 === 0 ? backslash : end;
  }

  #stringOf(from: number, to: number): string {
    try {
      return JSON.parse(`"${this.#text.slice(from, to)}"`) as string;
    } catch {
      this.failed = true;
      return '';
    }
  }

  *#array(depth: number): Steps<unknown[]> {
    const items: unknown[] = [];
    for (let isFirst = true; !this.failed; isFirst = false) {
      yield;
      const run = this.#run('[', ']', isFirst, depth + 1) as readonly unknown[] | undefined;
      if (run) for (const item of run) items.push(item);
      else items.push(yield* this.value(depth + 1));
      if (this.#take(CLOSE_ARRAY)) break;
      this.#expect(COMMA);
    }
    return items;
  }

  *#object(depth: number): Steps<object> {
    const members: Record<string, unknown> = {};
    let count = 0;
    for (let isFirst = true; !this.failed; isFirst = false) {
      yield;
      const run = this.#run('{', '}', isFirst, depth + 1);
      const read = run ? Object.entries(run) : [yield* this.#member(depth)];
      const room = Math.max(0, this.#maxMembers - count);
      count += read.length;
      if (count > this.#maxMembers && !this.#onCut) throw new TooManyMembers(this.#maxMembers);
      for (const [key, value] of room < read.length ? read.slice(0, room) : read) define(members, key, value);
      if (this.#take(CLOSE_OBJECT)) break;
      this.#expect(COMMA);
    }
    if (count > this.#maxMembers) this.#onCut?.(count - this.#maxMembers);
    return members;
  }

  /** One that is longer than a piece. */
  *#member(depth: number): Steps<[string, unknown]> {
    const key = this.#code === QUOTE ? yield* this.#longString() : '';
    this.#expect(COLON);
    return [key, this.failed ? undefined : yield* this.value(depth + 1)];
  }

  /** As many of the next members as a piece has, read together; `undefined`: the next one is longer than that. */
  #run(open: string, close: string, isFirst: boolean, levels: number): object | undefined {
    this.#skipBlanks();
    const end = this.#endOfRun(this.#at + this.#piece, levels);
    if (end === undefined) return undefined;
    const isEmpty = end === this.#at;
    // Nothing between two commas, or behind the last one.
    if (isEmpty && !(isFirst && this.#text[end] === close)) this.failed = true;
    try {
      const run: unknown = JSON.parse(open + this.#text.slice(this.#at, end) + close);
      this.#at = end;
      return run as object;
    } catch {
      this.failed = true;
      return [];
    }
  }

  /**
   * Where the members end, or the last comma between two of them within the limit.
   * @param levels how deep they are
   */
  #endOfRun(limit: number, levels: number): number | undefined {
    const text = this.#text;
    const until = Math.min(limit, text.length);
    let depth = 0;
    let comma: number | undefined;
    for (let at = this.#at; at < until; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        const end = this.#endOfString(at, limit);
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

  get #code(): number {
    return this.#text.charCodeAt(this.#at);
  }

  #skipBlanks(): void {
    const limit = this.#at + Math.max(this.#piece, MAX_TOKEN);
    const from = this.#at;
    while (isBlank(this.#code) && this.#at < limit) this.#at += 1;
    if (this.#at > from) this.hasBlanks = true;
    if (this.#at === limit) this.failed = true;
  }

  #take(code: number): boolean {
    this.#skipBlanks();
    if (this.#code !== code) return false;
    this.#at += 1;
    return true;
  }

  #expect(code: number): void {
    if (!this.#take(code)) this.failed = true;
  }

  #parsed(end: number | undefined): unknown {
    const start = this.#at;
    this.#at = end ?? this.#text.length;
    try {
      return JSON.parse(this.#text.slice(start, end));
    } catch {
      this.failed = true;
      return undefined;
    }
  }

  /** Behind a number or a word; `undefined`: at the end of the text. */
  #endOfToken(levels: number): number | undefined {
    const limit = this.#at + Math.max(this.#piece, MAX_TOKEN);
    const end = this.#endOfValue(limit, levels);
    if (end !== undefined || limit >= this.#text.length) return end;
    this.failed = true;
    return this.#at;
  }

  /** Behind the value that begins here; `undefined`: not within the limit. */
  #endOfValue(limit: number, levels: number): number | undefined {
    const text = this.#text;
    const until = Math.min(limit, text.length);
    let depth = 0;
    for (let at = this.#at; at < until; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        const end = this.#endOfString(at, limit);
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
  #endOfString(start: number, limit: number): number | undefined {
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
}

/** Not by assignment where that would be no member. */
function define(members: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') members[key] = value;
  else Object.defineProperty(members, key, { value, enumerable: true, configurable: true, writable: true });
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
