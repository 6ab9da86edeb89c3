import { createHash } from 'node:crypto';
import { MIN_STRING_PIECE, parseSteps, PIECE } from './jsonSteps.ts';
import { jsonWeight } from './jsonWeight.ts';
import type { Steps } from '../timeSlices.ts';

/** The text that `JSON.stringify` gives of a value of JSON, in pieces. */
export function* jsonPieces(value: unknown, piece = PIECE): Generator<string, void, undefined> {
  if (typeof value === 'string' && value.length > piece) {
    const length = Math.max(piece, MIN_STRING_PIECE);
    yield '"';
    for (let from = 0, to = 0; from < value.length; from = to) {
      to = Math.min(from + length, value.length);
      // Half of a character is written as an escape.
      if ((value.codePointAt(to - 1) ?? 0) > 0xffff) to += 1;
      yield JSON.stringify(value.slice(from, to)).slice(1, -1);
    }
    yield '"';
    return;
  }
  const isSmall = typeof value !== 'object' || value === null || jsonWeight(value, piece) <= piece;
  if (isSmall || 'toJSON' in value) {
    yield JSON.stringify(value) ?? 'null';
  } else if (Array.isArray(value)) {
    yield '[';
    yield* memberPieces(value.entries(), piece, (run) => JSON.stringify(run.map(([, item]) => item)));
    yield ']';
  } else {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    yield '{';
    yield* memberPieces(members, piece, (run) => JSON.stringify(Object.fromEntries(run)));
    yield '}';
  }
}

/** The text that `JSON.stringify` gives of a value of JSON, in steps. */
export function* jsonTextSteps(value: unknown): Steps<string> {
  const pieces: string[] = [];
  for (const piece of jsonPieces(value)) {
    pieces.push(piece);
    yield;
  }
  return pieces.join('');
}

/** Short members are written together, a long one by its own pieces. */
function* memberPieces<Key extends string | number>(
  members: Iterable<[Key, unknown]>,
  piece: number,
  write: (run: [Key, unknown][]) => string,
): Generator<string, void, undefined> {
  let run: [Key, unknown][] = [];
  let weight = 0;
  let before = '';
  const flush = function* (): Generator<string, void, undefined> {
    if (run.length === 0) return;
    yield before + write(run).slice(1, -1);
    [run, weight, before] = [[], 0, ','];
  };
  for (const [key, member] of members) {
    const own = jsonWeight(member, piece);
    if (own <= piece) run.push([key, member]);
    if (own > piece || (weight += own) > piece) yield* flush();
    if (own <= piece) continue;
    yield typeof key === 'string' ? `${before}${JSON.stringify(key)}:` : before;
    yield* jsonPieces(member, piece);
    before = ',';
  }
  yield* flush();
}

/** A copy of a value of JSON, in steps; its numbers are plain ones. */
export function* jsonCopySteps<T>(value: T): Steps<T> {
  return (yield* parseSteps(yield* jsonTextSteps(value))) as T;
}

/** SHA-256 of what `JSON.stringify` gives of a value of JSON, in steps. */
export function* jsonDigest(value: unknown): Steps<string> {
  const hash = createHash('sha256');
  for (const piece of jsonPieces(value)) {
    hash.update(piece);
    yield;
  }
  return hash.digest('base64');
}
