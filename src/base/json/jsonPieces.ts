import { createHash } from 'node:crypto';
import { parseSteps } from './jsonSteps.ts';
import { jsonWeight } from './jsonWeight.ts';
import { MIN_STRING_PIECE } from './jsonScan.ts';
import { PIECE } from './pieceReader.ts';
import { sourceTextOf } from './sourceText.ts';
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
    yield* memberPieces(undefined, value, piece);
    yield ']';
  } else {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    const names = members.map(([name]) => name);
    yield '{';
    yield* memberPieces(
      names,
      members.map(([, member]) => member as unknown),
      piece,
    );
    yield '}';
  }
}

/** The text that `JSON.stringify` gives of a value of JSON, in steps; of a large one, the text that it was read from, where that is kept. */
export function* jsonTextSteps(value: unknown): Steps<string> {
  const source = sourceTextOf(value);
  if (source !== undefined) return source;
  const pieces: string[] = [];
  for (const piece of jsonPieces(value)) {
    pieces.push(piece);
    yield;
  }
  return pieces.join('');
}

/**
 * Short members are written together, a long one by its own pieces.
 * @param names of the members of an object; `undefined`: they are of an array
 */
function* memberPieces(
  names: readonly string[] | undefined,
  members: readonly unknown[],
  piece: number,
): Generator<string, void, undefined> {
  let [from, weight, before] = [0, 0, ''];
  const runTo = (to: number): string => {
    const run = members.slice(from, to);
    const whole = names ? Object.fromEntries(run.map((member, index) => [names[from + index] ?? '', member])) : run;
    const text = before + JSON.stringify(whole).slice(1, -1);
    [from, weight, before] = [to, 0, ','];
    return text;
  };
  for (const [index, member] of members.entries()) {
    const own = jsonWeight(member, piece);
    weight += own;
    if (own <= piece && weight > piece) yield runTo(index + 1);
    if (own <= piece) continue;
    if (index > from) yield runTo(index);
    yield names ? `${before}${JSON.stringify(names[index])}:` : before;
    yield* jsonPieces(member, piece);
    [from, weight, before] = [index + 1, 0, ','];
  }
  if (from < members.length) yield runTo(members.length);
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
