import { MAX_NESTING } from './jsonDepth.ts';

/** Of what a server sends, no object has more: listing its members can't be done in steps, and takes 0.1 s for 100,000. */
export const MAX_MEMBERS = 20_000;

/** What a text may have in it that is read. */
export interface ReadingLimits {
  /** How many members an object may have, where the text is longer than a piece. */
  readonly maxMembers?: number;
  /** Told how many members of one object were left out; absent: reading fails with `TooManyMembers`. */
  readonly onCut?: (count: number) => void;
  /** Reading fails with `TooDeep` above `MAX_NESTING` levels. */
  readonly limitsNesting?: boolean;
}

/** A text of JSON has an object with more members than it may have. */
export class TooManyMembers extends Error {
  override readonly name = 'TooManyMembers';

  constructor(limit: number) {
    super(`an object in it has more than ${limit.toLocaleString('en')} members`);
  }
}

/** A text of JSON is nested deeper than it may be. */
export class TooDeep extends Error {
  override readonly name = 'TooDeep';

  constructor() {
    super(`it is nested more than ${MAX_NESTING} levels deep`);
  }
}
