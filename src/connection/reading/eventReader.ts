import type { Steps } from '../../base/timeSlices.ts';
import type { Tolerated } from '../protocol/guard/tolerances.ts';

/**
 * Gives, in steps, the data of the events that stand for one; `undefined`: it stays.
 * @param isCut the stream has ended within it
 */
type Replace = (name: string, data: string, isCut: boolean) => Steps<readonly string[] | undefined>;

/** A stream that ends at once is taken up again, as soon as its server wants: not at once again and again. */
const SHORTEST_RETRY_MS = 250;

/**
 * Reads a stream of events (HTML standard: *Server-sent events*) and writes it again with other data, as soon as an event
 * is complete. Comments and everything that isn't replaced pass as they are.
 */
export class EventReader {
  readonly #replace: Replace;
  readonly #tolerate: (kind: Tolerated) => void;
  readonly #lineEnd = /\r\n|\n|\r/g;
  #line: string[] = [];
  #afterReturn = false;
  #name = '';
  #data: string[] = [];

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
    }
    if (from < piece.length) this.#line.push(piece.slice(from));
    if (piece !== '') this.#afterReturn = piece.endsWith('\r');
    return out.join('');
  }

  /** The stream has ended; its last event may have no blank line behind it. */
  *end(): Steps<string> {
    const rest = this.#line.join('') === '' ? '' : yield* this.#endOfLine('');
    if (this.#data.length === 0) return rest;
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
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#name = value;
    else if (field === 'retry' && Number(value) < SHORTEST_RETRY_MS) return `retry: ${SHORTEST_RETRY_MS}\n`;
    // Of the event that comes, its id must be known before it.
    else return `${line}\n`;
    return '';
  }

  *#event(isCut = false): Steps<string> {
    const name = this.#name;
    const data = this.#data.join('\n');
    const isEmpty = this.#data.length === 0;
    this.#name = '';
    this.#data = [];
    if (isEmpty) return name === '' ? '\n' : `event: ${name}\n\n`;
    const replaced = yield* this.#replace(name, data, isCut);
    if (replaced) return replaced.map((each) => `data: ${each}\n\n`).join('');
    return `${name === '' ? '' : `event: ${name}\n`}${data
      .split('\n')
      .map((each) => `data: ${each}\n`)
      .join('')}\n`;
  }
}
