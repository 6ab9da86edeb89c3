import { isTooDeep } from './jsonDepth.ts';
import { PIECE, PieceReader, type Written } from './pieceReader.ts';
import type { Steps } from '../timeSlices.ts';
import { TooDeep, type ReadingLimits } from './readingLimits.ts';

/** Of a text that is longer, nobody is told what is wrong, but where: to see it, all of it is read at once. */
const MAX_EXPLAINED = 1024 * 1024;

/** A value of JSON, and what is seen on the way through its text, where that is longer than a piece. */
export interface ReadJson {
  readonly value: unknown;
  readonly written?: Written;
}

/**
 * `JSON.parse`, in steps. A long text costs a few tenths more than at once.
 * @throws SyntaxError, TooManyMembers, TooDeep
 */
export function* parseSteps(text: string, piece = PIECE, limits: ReadingLimits = {}): Steps<unknown> {
  return (yield* readSteps(text, piece, limits)).value;
}

/**
 * As `parseSteps`, with how the text is written.
 * @throws SyntaxError, TooManyMembers, TooDeep
 */
export function* readSteps(text: string, piece = PIECE, limits: ReadingLimits = {}): Steps<ReadJson> {
  if (text.length <= piece) {
    if (limits.limitsNesting === true && (yield* isTooDeep(text))) throw new TooDeep();
    return { value: JSON.parse(text) };
  }
  const reader = new PieceReader(text, piece, limits);
  const value = yield* reader.value(0);
  if (!reader.failed && reader.isAtEnd) return { value, written: reader };
  if (text.length > MAX_EXPLAINED) throw new SyntaxError(`Unexpected text in JSON near position ${reader.at}`);
  // Says what is wrong, and where.
  return { value: JSON.parse(text) };
}
