import { StringDecoder } from 'node:string_decoder';
import { JsonMeter } from '../../base/json/jsonMeter.ts';

/** Longest line a server may write, in bytes: 64 MiB. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** How much of each end of an oversized line is kept, in bytes. */
const KEPT_END_BYTES = 1024;

/** So much of a line is decoded at once, in bytes: invalid UTF-8 takes long. */
const DECODED_AT_ONCE = 1024 * 1024;

const NEWLINE = 0x0a;
const BRACES: ReadonlySet<number | undefined> = new Set([0x7b, 0x5b]);
/** Before a message in the framing of the Language Server Protocol, which some servers write. */
const LENGTH = /^Content-Length:[ \t]*(\d{1,9})\r?$/i;
const HEADER = /^[\w-]+:[^\r]*\r?$/;
/** Headers before a message at most. */
const MAX_HEADERS = 4;

/** The ends of a line over the limit, or of one with too much in it, which tell the request that it answers. */
export interface OversizedLine {
  readonly bytes: number;
  readonly head: string;
  readonly tail: string;
}

export interface LineSink {
  onLine(line: string): void;
  onOversized(line: OversizedLine): void;
  /** A message comes behind headers that give its length. */
  onFrame?(): void;
}

/**
 * Splits bytes into lines (specification: stdio transport, messages are delimited by newlines). Each byte is read
 * once and each line is decoded once, so the cost is linear, and a character that arrives in two chunks stays whole. Invalid UTF-8 becomes U+FFFD.
 * What stands behind `Content-Length` and an empty line, and begins as a message does, is as long as that says.
 */
export class LineFramer {
  readonly #sink: LineSink;
  readonly #maxLineBytes: number;
  readonly #meter = new JsonMeter();
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** What of a long line is decoded already: with `#pieces`, the whole line. */
  #texts: string[] = [];
  #decoded = 0;
  #decoder: StringDecoder | undefined;
  #oversized: { readonly head: Buffer; tail: Buffer } | undefined;
  /** The lines of headers that may be before a message, and the length that they give. */
  #headers: { readonly lines: string[]; readonly length: number } | undefined;
  /** How much is left of a message whose length is known, in bytes. */
  #left = 0;

  constructor(sink: LineSink, maxLineBytes: number = MAX_LINE_BYTES) {
    this.#sink = sink;
    this.#maxLineBytes = maxLineBytes;
  }

  push(chunk: Buffer): void {
    let from = 0;
    while (from < chunk.length) {
      if (this.#left > 0 && this.#bytes === 0 && !BRACES.has(chunk[from])) this.#left = 0;
      if (this.#left > 0) {
        const piece = chunk.subarray(from, from + this.#left);
        from += piece.length;
        this.#left -= piece.length;
        this.#take(piece);
        if (this.#left === 0) this.#finishLine();
        continue;
      }
      const end = chunk.indexOf(NEWLINE, from);
      this.#take(chunk.subarray(from, end < 0 ? undefined : end));
      if (end < 0) return;
      this.#finishLine();
      from = end + 1;
    }
  }

  /** The input has ended. Returns the length of the unfinished line, in bytes. */
  end(): number {
    const left = this.#bytes;
    this.#reset();
    return left;
  }

  #take(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#oversized) {
      this.#oversized.tail = Buffer.concat([this.#oversized.tail, piece.subarray(-KEPT_END_BYTES)]).subarray(
        -KEPT_END_BYTES,
      );
      return;
    }
    this.#pieces.push(piece);
    if (this.#bytes > this.#maxLineBytes || this.#meter.push(piece)) this.#giveUp();
    else if (this.#bytes - this.#decoded > DECODED_AT_ONCE) this.#decode();
  }

  #decode(): void {
    this.#decoder ??= new StringDecoder('utf8');
    this.#texts.push(this.#decoder.write(Buffer.concat(this.#pieces)));
    this.#pieces = [];
    this.#decoded = this.#bytes;
  }

  /** Of a line that isn't read, copies of its ends are kept, so that they don't keep the whole line in memory. */
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

  #finishLine(): void {
    const oversized = this.#oversized;
    const bytes = this.#bytes;
    if (this.#decoder && !oversized) this.#decode();
    const texts = this.#decoder && [...this.#texts, this.#decoder.end()];
    const pieces = this.#pieces;
    this.#reset();
    if (oversized) {
      this.#sink.onOversized({ bytes, head: oversized.head.toString('utf8'), tail: oversized.tail.toString('utf8') });
      return;
    }
    if (texts) return this.#sink.onLine(texts.join(''));
    const [first] = pieces;
    if (first) this.#tell((pieces.length === 1 ? first : Buffer.concat(pieces)).toString('utf8'));
  }

  #tell(line: string): void {
    const headers = this.#headers;
    const length = headers ? undefined : LENGTH.exec(line)?.[1];
    if (length !== undefined) this.#headers = { lines: [line], length: Number(length) };
    else if (!headers) this.#sink.onLine(line);
    else if (HEADER.test(line) && headers.lines.length < MAX_HEADERS) headers.lines.push(line);
    else {
      this.#headers = undefined;
      if (line.trim() === '') {
        this.#left = headers.length;
        this.#sink.onFrame?.();
      } else for (const each of [...headers.lines, line]) this.#sink.onLine(each);
    }
  }

  #reset(): void {
    this.#pieces = [];
    this.#texts = [];
    this.#decoder = undefined;
    this.#bytes = 0;
    this.#decoded = 0;
    this.#oversized = undefined;
    this.#meter.reset();
  }
}
