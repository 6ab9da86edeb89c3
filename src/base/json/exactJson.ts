import { randomBytes } from 'node:crypto';
import { exactNumber } from './exactNumber.ts';
import { parseSteps } from './jsonSteps.ts';
import { type ReadingLimits } from './readingLimits.ts';
import { atOnce, type Steps } from '../timeSlices.ts';
import { StringEnds } from './stringEnd.ts';

/** Numbers that a double may change or write otherwise: long ones, those with an exponent, and those that end in 0. */
const MAY_CHANGE = /[:,[]\s*-?(?:[\d.]{16}|\d+\.\d*0(?!\d)|\d+(?:\.\d+)?[eE]|0\.0{6})/;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Longer than any number that makes sense. */
const MAX_DIGITS = 4096;
/** So many strings, or values, are gone through in one step. */
const VALUES_IN_STEP = 1_000;
/** So much of what stands between two strings, in characters. */
const NUMBERS_PIECE = 16 * 1024;

/** Whether the text, as JSON, may have numbers that `JSON.parse` doesn't give back as they are written. Fast. */
export function mayHaveExactNumbers(text: string): boolean {
  return MAY_CHANGE.test(text);
}

/** So much is looked at in one step, in characters, and so much of it again in the next one. */
const PIECE = 64 * 1024;
const OVERLAP = 1024;

/** As `mayHaveExactNumbers`, in steps. */
export function* mayHaveExactSteps(text: string): Steps<boolean> {
  for (let from = 0; from < text.length; from += PIECE - OVERLAP) {
    if (MAY_CHANGE.test(text.length <= PIECE ? text : text.slice(from, from + PIECE))) return true;
    if (from + PIECE >= text.length) break;
    yield;
  }
  return false;
}

export interface ExactOptions extends ReadingLimits {
  /** Which of the numbers that a double would write otherwise stand as their text; absent: all. */
  readonly keeps?: (digits: string) => boolean;
}

/**
 * Parses JSON so that `JSON.stringify` writes every number as it was written: one that a double would change or write
 * otherwise becomes an object of `JSON.rawJSON`. A reviver could do it, too, but takes 40 times as long as a plain parse.
 * @throws SyntaxError
 */
export function parseExact(text: string, options?: ExactOptions): unknown {
  return atOnce(parseExactSteps(text, options));
}

/**
 * As `parseExact`, in steps.
 * @throws SyntaxError, TooManyMembers
 */
export function* parseExactSteps(text: string, { keeps, ...limit }: ExactOptions = {}): Steps<unknown> {
  if (!(yield* mayHaveExactSteps(text))) return yield* parseSteps(text, undefined, limit);
  // Strings of the text can't have it: nobody else knows it.
  const mark = `${randomBytes(9).toString('base64')}:`;
  const pieces: string[] = [];
  const ends = new StringEnds(text);
  let from = 0;
  for (let turn = 1; from < text.length; turn += 1) {
    if (turn % VALUES_IN_STEP === 0) yield;
    const quote = text.indexOf('"', from);
    const end = quote < 0 ? text.length : quote;
    for (const part of partsOf(text.slice(from, end))) {
      pieces.push(/\d/.test(part) ? part.replace(NUMBER, (digits) => marked(digits, mark, keeps)) : part);
      if (part.length >= NUMBERS_PIECE) yield;
    }
    if (quote < 0) break;
    from = yield* ends.behind(quote + 1);
    pieces.push(text.slice(quote, from));
  }
  return yield* restored(yield* parseSteps(pieces.join(''), undefined, limit), mark);
}

/** What stands between two strings, in parts that end behind a comma, so that none cuts a number. */
function* partsOf(gap: string): Generator<string, void, undefined> {
  for (let from = 0, to = 0; from < gap.length; from = to) {
    const comma = gap.indexOf(',', from + NUMBERS_PIECE);
    to = comma < 0 ? gap.length : comma + 1;
    yield gap.slice(from, to);
  }
}

function marked(digits: string, mark: string, keeps?: (digits: string) => boolean): string {
  const isPlain = digits.length > MAX_DIGITS || String(Number(digits)) === digits || keeps?.(digits) === false;
  return isPlain ? digits : `"${mark}${digits}"`;
}

/** The value, changed in place, with numbers in place of marked strings. Any depth is fine. */
function* restored(value: unknown, mark: string): Steps<unknown> {
  const root = [value];
  const waiting: object[] = [root];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const members = at as Record<string, unknown>;
    yield;
    for (const [index, key] of Object.keys(members).entries()) {
      if (index % VALUES_IN_STEP === VALUES_IN_STEP - 1) yield;
      const member = members[key];
      if (typeof member === 'object' && member !== null) waiting.push(member);
      else if (typeof member === 'string' && member.startsWith(mark))
        // Not by assignment: `__proto__` would be no member.
        Object.defineProperty(members, key, {
          value: exactNumber(member.slice(mark.length)),
          enumerable: true,
          configurable: true,
          writable: true,
        });
    }
  }
  return root[0];
}

/**
 * For arguments: a safe integer is plain however it is written, since the SDK repeats those in headers (specification
 * 2026-07-28: `x-mcp-header`).
 */
export function unlessSafeInteger(digits: string): boolean {
  return !Number.isSafeInteger(Number(digits));
}

/** Whether a double is another number than the one that these digits are. */
export function isChangedByDouble(digits: string): boolean {
  const number = Number(digits);
  return !Number.isFinite(number) || decimalOf(digits) !== decimalOf(String(number));
}

const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** The one form of all spellings of a number. */
function decimalOf(text: string): string {
  const [, sign = '', whole = '', part = '', power = '0'] = PARTS.exec(text) ?? [];
  const digits = (whole + part).replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  const short = digits.slice(0, end);
  if (short === '') return '0';
  return `${sign}${short}e${Number(power) - part.length + digits.length - short.length}`;
}
