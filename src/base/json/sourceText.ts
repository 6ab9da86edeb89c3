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

/** The value is written anew. */
export function dropSourceText(value: unknown): void {
  if (typeof value === 'object' && value !== null) sources.delete(value);
}
