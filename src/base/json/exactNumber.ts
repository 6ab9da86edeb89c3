/** ECMAScript 2026, *JSON.rawJSON*: a number as it is written, which `JSON.stringify` writes so again. */
const RAW = JSON as typeof JSON & {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
};

/** @param digits a number as JSON has it */
export function exactNumber(digits: string): object {
  return RAW.rawJSON(digits);
}

/** Whether a value is a number that stands as its text, as `exactNumber` gives it. */
export function isExactNumber(value: object): value is { readonly rawJSON: string } {
  return RAW.isRawJSON(value);
}
