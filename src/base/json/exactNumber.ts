/**
 * ECMAScript 2026, *JSON.rawJSON*: a number as it is written, which `JSON.stringify` writes so again. Extension hosts have it; Node 20,
 * which may play a recording, hasn't.
 */
const RAW = JSON as typeof JSON & {
  rawJSON?(text: string): object;
  isRawJSON?(value: unknown): boolean;
};

/**
 * The number with all its digits; as near as a double comes, where the runtime has nothing for that.
 * @param digits a number as JSON has it
 */
export function exactNumber(digits: string): object {
  return RAW.rawJSON?.(digits) ?? (Number(digits) as unknown as object);
}

/** Whether a value is a number that stands as its text, as `exactNumber` gives it. */
export function isExactNumber(value: object): value is { readonly rawJSON: string } {
  return RAW.isRawJSON?.(value) === true;
}

/** What a number is to a program, whether it stands as its text or not; `undefined`: it is no number. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'object' && value !== null && isExactNumber(value) ? Number(value.rawJSON) : undefined;
}

/** The value with plain numbers in place of those that stand as their text; the same value where there are none. */
export function withPlainNumbers<T>(value: T): T;
export function withPlainNumbers(value: unknown): unknown {
  return hasExactNumbers(value) ? JSON.parse(JSON.stringify(value)) : value;
}

/** Whether any number in a value stands as its text. Any depth is fine. */
export function hasExactNumbers(value: unknown): boolean {
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (isExactNumber(next)) return true;
    for (const member of Object.values(next)) if (typeof member === 'object') waiting.push(member);
  }
  return false;
}
