import { MAX_NESTING } from './jsonDepth.ts';
import type { Steps } from '../timeSlices.ts';
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  isBlank,
  JsonScan,
  MIN_STRING_PIECE,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from './jsonScan.ts';
import { TooManyMembers, type ReadingLimits } from './readingLimits.ts';

/** So much of a text, in characters, or of a value (see `jsonWeight`), is read or written in one step. */
export const PIECE = 64 * 1024;
/** Deeper values are read in one step, however long they are; what servers send has no such (see `isTooDeep`). */
const MAX_DEPTH = MAX_NESTING;
/** A number, a word or a place between two values that is longer makes a text no JSON, where it is longer than a piece. */
const MAX_TOKEN = PIECE;

/** How a text of JSON is written. */
export interface Written {
  /** Whether `JSON.stringify` may write a number of it otherwise; see `mayHaveExactNumbers`. */
  readonly mayHaveExactNumbers: boolean;
  /** Whether there are blanks between its parts. */
  readonly hasBlanks: boolean;
  /** From where to where an object or an array stands, in characters; of those that are longer than a piece. */
  readonly places: ReadonlyMap<unknown, readonly [from: number, to: number]>;
}

/** Reads a text from front to back: the members of long values one by one, and what is short by `JSON.parse`. */
export class PieceReader implements Written {
  readonly #text: string;
  readonly #piece: number;
  readonly #maxMembers: number;
  readonly #onCut: ReadingLimits['onCut'];
  readonly #scan: JsonScan;
  #at = 0;
  /** It isn't JSON; what was read is worthless. */
  failed = false;
  readonly places = new Map<unknown, readonly [number, number]>();

  constructor(text: string, piece: number, limits: ReadingLimits) {
    const { maxMembers = Number.POSITIVE_INFINITY, onCut, limitsNesting = false } = limits;
    this.#text = text;
    this.#piece = piece;
    this.#maxMembers = maxMembers;
    this.#onCut = onCut;
    this.#scan = new JsonScan(text, limitsNesting ? MAX_NESTING : Number.POSITIVE_INFINITY);
  }

  get mayHaveExactNumbers(): boolean {
    return this.#scan.mayHaveExactNumbers;
  }

  get hasBlanks(): boolean {
    return this.#scan.hasBlanks;
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
    const end = this.#scan.endOfValue(this.#at, isDeep ? this.#text.length : this.#at + this.#piece, depth);
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
      const end = this.#scan.endOfString(at - 1, at + piece);
      const cut = end === undefined ? this.#scan.cutOfString(at, piece) : end - 1;
      parts.push(this.#stringOf(at, cut));
      // The text ends within it.
      if (end === undefined && (cut === at || cut === this.#text.length)) this.failed = true;
      this.#at = end ?? cut;
      if (end !== undefined || this.failed) return parts.join('');
      at = cut;
    }
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
    const end = this.#scan.endOfRun(this.#at, this.#at + this.#piece, levels);
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

  get #code(): number {
    return this.#text.charCodeAt(this.#at);
  }

  #skipBlanks(): void {
    const limit = this.#at + Math.max(this.#piece, MAX_TOKEN);
    const from = this.#at;
    while (isBlank(this.#code) && this.#at < limit) this.#at += 1;
    if (this.#at > from) this.#scan.hasBlanks = true;
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
    const end = this.#scan.endOfValue(this.#at, limit, levels);
    if (end !== undefined || limit >= this.#text.length) return end;
    this.failed = true;
    return this.#at;
  }
}

/** Not by assignment where that would be no member. */
function define(members: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') members[key] = value;
  else Object.defineProperty(members, key, { value, enumerable: true, configurable: true, writable: true });
}
