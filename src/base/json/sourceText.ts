import type { Steps } from '../timeSlices.ts';

/** Texts of large values, kept as long as these are. */
const sources = new WeakMap<object, string>();

/** Keeps the text that a value of JSON was read from, where that is as short as `JSON.stringify` makes it. The value must not change. */
export function keepSourceText(value: object, text: string): void {
  sources.set(value, text);
}

/** The text that a large value of JSON was read from: writing it takes as long as reading it. Absent: it has to be written. */
export function sourceTextOf(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? sources.get(value) : undefined;
}

const BACKSLASH = 0x5c;
const IN_STEP = 1_000;

/**
 * Whether no object of a value has two members of one name in the text that it was read from: of such, the value has the last alone. In
 * steps. A text with a string that begins with a colon may be taken for one with such members.
 * @param text JSON without blanks between its parts
 */
export function* hasEachNameOnce(text: string, value: unknown): Steps<boolean> {
  let names = 0;
  // Behind the quote that ends a name there is a colon, and before it an even number of backslashes.
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 2)) {
    let from = at;
    while (text.charCodeAt(from - 1) === BACKSLASH) from -= 1;
    if ((at - from) % 2 === 0) names += 1;
    if (names % IN_STEP === 0) yield;
  }
  let members = 0;
  let seen = 0;
  const waiting: unknown[] = [value];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    const parts = Object.values(each as object) as readonly unknown[];
    if (!Array.isArray(each)) members += parts.length;
    for (const part of parts) if (typeof part === 'object' && part !== null) waiting.push(part);
    seen += parts.length + 1;
    if (seen < IN_STEP) continue;
    seen = 0;
    yield;
  }
  return names === members;
}
