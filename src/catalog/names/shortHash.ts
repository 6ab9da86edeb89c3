import { createHash } from 'node:crypto';

/** The first `length` characters (at most 10) of a SHA-256 of the text in base 36: lower-case letters and digits. */
export function shortHash(text: string, length: number): string {
  const number = createHash('sha256').update(text).digest().readBigUInt64BE();
  return number.toString(36).padStart(13, '0').slice(-length);
}
