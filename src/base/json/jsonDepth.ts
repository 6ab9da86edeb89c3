import type { Steps } from '../timeSlices.ts';
import { StringEnds } from './stringEnd.ts';

/** What is nested deeper is made to exhaust the stack of whoever reads, copies or writes it: real values have a few dozen levels. */
export const MAX_NESTING = 512;

/** So much is looked at in one step, in characters. */
const PIECE = 64 * 1024;
const QUOTE = 0x22;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Whether a text of JSON is nested deeper than `MAX_NESTING` levels, in steps. */
export function* isTooDeep(text: string): Steps<boolean> {
  if (text.length <= MAX_NESTING || !hasManyLevels(text)) return false;
  const ends = new StringEnds(text);
  let depth = 0;
  let next = PIECE;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      depth += 1;
      if (depth > MAX_NESTING) return true;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth -= 1;
    else if (code === QUOTE) at = (yield* ends.behind(at + 1)) - 1;
    if (at < next) continue;
    next = at + PIECE;
    yield;
  }
  return false;
}

/** Whether enough begins in it at all: most texts are told by that, in no time. */
function hasManyLevels(text: string): boolean {
  let count = 0;
  for (const bracket of '[{')
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > MAX_NESTING) return true;
    }
  return false;
}
