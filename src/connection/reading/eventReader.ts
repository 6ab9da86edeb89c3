import type { Steps } from '../../base/timeSlices.ts';
import type { Tolerated } from '../protocol/guard/tolerances.ts';

/**
 * Gives, in steps, the data of the events that stand for one; `undefined`: it stays.
 * @param isCut the stream has ended within it
 */
type Replace = (name: string, data: string, isCut: boolean) => Steps<readonly string[] | undefined>;

/** A stream that ends at once is taken up again, as soon as its server wants: not at once again and again. */
const SHORTEST_RETRY_MS = 250;

/** So many lines are read in one step, or put together to one. */
const LINES_IN_STEP = 1_000;
/** Data that isn't replaced is left out where it is longer, in characters: nobody reads it, and reading it takes long. */
const MAX_PASSED = 64 * 1024;

/**
 * Reads a stream of events (HTML standard: *Server-sent events*) and writes it again with other data, as soon as an event
 * is complete. Comments and what isn't replaced pass as they are, if not too long.
 */
export class EventReader {
  readonly #replace: Replace;
  readonly #tolerate: (kind: Tolerated) => void;
  readonly #lineEnd = /\r\n|\n|\r/g;
  #line: string[] = [];
  #afterReturn = false;
  #name = '';
  /** The lines of data, put together by the thousand, and those that aren't yet. */
  #data: string[] = [];
  #lines: string[] = [];
  #count = 0;

  constructor(replace: Replace, tolerate: (kind: Tolerated) => void) {
    this.#replace = replace;
    this.#tolerate = tolerate;
  }

  /** Takes the next piece and gives what is to be written. */
  *push(piece: string): Steps<string> {
    const out: string[] = [];
    let from = this.#afterReturn && piece.startsWith('\n') ? 1 : 0;
    this.#lineEnd.lastIndex = from;
    for (let end = this.#lineEnd.exec(piece); end; end = this.#lineEnd.exec(piece)) {
      out.push(yield* this.#endOfLine(piece.slice(from, end.index)));
      from = end.index + end[0].length;
      if (++this.#count % LINES_IN_STEP === 0) yield;
    }
    if (from < piece.length) this.#line.push(piece.slice(from));
    if (piece !== '') this.#afterReturn = piece.endsWith('\r');
    return out.join('');
  }

  /** The stream has ended; its last event may have no blank line behind it. */
  *end(): Steps<string> {
    const rest = this.#line.join('') === '' ? '' : yield* this.#endOfLine('');
    if (this.#data.length + this.#lines.length === 0) return rest;
    const event = yield* this.#event(true);
    if (event !== '') this.#tolerate('event without end');
    return rest + event;
  }

  *#endOfLine(last: string): Steps<string> {
    const line = this.#line.length === 0 ? last : this.#line.join('') + last;
    this.#line = [];
    if (line === '') return yield* this.#event();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') this.#addData(value);
    else if (field === 'event') this.#name = value;
    else if (field === 'retry' && Number(value) < SHORTEST_RETRY_MS) return `retry: ${SHORTEST_RETRY_MS}\n`;
    // Of the event that comes, its id must be known before it.
    else return `${line}\n`;
    return '';
  }

  #addData(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length === LINES_IN_STEP) this.#data.push(this.#lines.splice(0).join('\n'));
  }

  *#event(isCut = false): Steps<string> {
    const name = this.#name;
    const parts = [...this.#data, ...this.#lines];
    const data = parts.join('\n');
    const isEmpty = parts.length === 0;
    this.#name = '';
    this.#data = [];
    this.#lines = [];
    if (isEmpty) return name === '' ? '\n' : `event: ${name}\n\n`;
    const replaced = yield* this.#replace(name, data, isCut);
    if (!replaced && data.length > MAX_PASSED) return '';
    if (replaced) return replaced.map((each) => `data: ${each}\n\n`).join('');
    return `${name === '' ? '' : `event: ${name}\n`}${data
      .split('\n')
      .map((each) => `data: ${each}\n`)
      .join('')}\n`;
  }
}
