import { StringDecoder } from 'node:string_decoder';
import { JsonMeter } from '../../base/json/jsonMeter.ts';

/** The longest line, or message of a WebSocket, that a server may send, in bytes: 64 MiB. */
export const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** How much of each end of an oversized text is kept, in bytes. */
const KEPT_END_BYTES = 1024;
/** So much of a text is decoded at once, in bytes: invalid UTF-8 takes long. */
const DECODED_AT_ONCE = 1024 * 1024;

/** The ends of a text over the limit, or of one with too much in it, which tell the request that it answers. */
export interface OversizedText {
  readonly bytes: number;
  readonly head: string;
  readonly tail: string;
}

/**
 * A text of JSON that comes in pieces. Each byte is read once and decoded once, so the cost is linear, and a character that
 * arrives in two pieces stays whole. Invalid UTF-8 becomes U+FFFD.
 */
export class CollectedText {
  readonly #maxBytes: number;
  readonly #meter = new JsonMeter();
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** What of a long text is decoded already, in texts longer than an end of it: with `#pieces`, all of it. */
  #texts: string[] = [];
  #decoded = 0;
  #decoder: StringDecoder | undefined;
  #oversized: { readonly head: Buffer; tail: Buffer } | undefined;

  constructor(maxBytes: number = MAX_TEXT_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** How long it is so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The next piece. */
  push(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#oversized) {
      const tail = Buffer.concat([this.#oversized.tail, piece.subarray(-KEPT_END_BYTES)]);
      this.#oversized.tail = tail.subarray(-KEPT_END_BYTES);
      return;
    }
    this.#pieces.push(piece);
    if (this.#bytes > this.#maxBytes || this.#meter.push(piece)) this.#giveUp();
    else if (this.#bytes - this.#decoded > DECODED_AT_ONCE) this.#decode();
  }

  /** It is whole: gives it, and begins with the next one. */
  take(): string | OversizedText {
    const { head, tail } = this.#oversized ?? {};
    const text = head && tail ? { bytes: this.#bytes, head: head.toString(), tail: tail.toString() } : this.#whole();
    this.reset();
    return text;
  }

  /** What came so far is dropped. */
  reset(): void {
    this.#pieces = [];
    this.#texts = [];
    this.#decoder = undefined;
    this.#bytes = 0;
    this.#decoded = 0;
    this.#oversized = undefined;
    this.#meter.reset();
  }

  #whole(): string {
    const [first] = this.#pieces;
    if (!this.#decoder) return (this.#pieces.length === 1 && first ? first : Buffer.concat(this.#pieces)).toString();
    this.#decode();
    return [...this.#texts, this.#decoder.end()].join('');
  }

  #decode(): void {
    const decoder = (this.#decoder ??= new StringDecoder('utf8'));
    this.#texts.push(this.#pieces.map((piece) => decoder.write(piece)).join(''));
    this.#pieces = [];
    this.#decoded = this.#bytes;
  }

  /** Of a text that isn't read, copies of its ends are kept, so that they don't keep all of it in memory. */
  #giveUp(): void {
    const [first = '', last = ''] = [this.#texts[0], this.#texts.at(-1)];
    const rest = Buffer.concat([Buffer.from(last.slice(-KEPT_END_BYTES)), ...this.#pieces]);
    const head = first === '' ? rest : Buffer.from(first.slice(0, KEPT_END_BYTES));
    this.#oversized = {
      head: Buffer.from(head.subarray(0, KEPT_END_BYTES)),
      tail: Buffer.from(rest.subarray(-KEPT_END_BYTES)),
    };
    this.#pieces = [];
    this.#texts = [];
  }
}
