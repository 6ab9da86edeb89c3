import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The token of the editor that `npm start` serves, made on first need. The same at each start of a clone: an address that was kept works
 * again, and two editors of the clone, whose pages have their cookies in common, take each other's.
 * @param {string} file that keeps it, for its owner's eyes alone
 * @returns {string} 32 hex digits
 */
export function startToken(file) {
  const token = randomBytes(16).toString('hex');
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(file, token, { mode: 0o600, flag: 'wx' });
    return token;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const kept = readFileSync(file, 'utf8');
  if (/^[\da-f]{32}$/.test(kept)) return kept;
  // Cut off while it was written.
  writeFileSync(file, token);
  return token;
}
