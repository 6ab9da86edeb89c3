import { hash } from 'node:crypto';
import { isExactNumber } from './exactNumber.ts';

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

/** Whether a value is an object of JSON; a number that stands as its text isn't one. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

/** JSON with sorted keys: equal values give equal texts. `undefined` members are left out. */
export function stableStringify(value: unknown): string {
  return JSON.stringify(withSortedKeys(value)) ?? 'null';
}

function withSortedKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (!isRecord(value)) return value;
  const sorted: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    const member = withSortedKeys(value[key]);
    if (key !== '__proto__') sorted[key] = member;
    // By assignment, it would be lost.
    else Object.defineProperty(sorted, key, { value: member, enumerable: true });
  }
  return sorted;
}

/** The value with every half of a surrogate pair in its texts replaced: not every reader of JSON takes one. */
export function wellFormed(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.toWellFormed(), wellFormed(member)]));
}

/** SHA-256 of the text, in hexadecimal. */
export function sha256(text: string): string {
  // In one go: a `Hash` object costs several times as much as the hashing of a short text.
  return hash('sha256', text, 'hex');
}

/** A JSON pointer of these tokens. */
export function pointerOf(...tokens: readonly string[]): string {
  return tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
