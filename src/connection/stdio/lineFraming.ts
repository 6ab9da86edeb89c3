import { CollectedText, MAX_TEXT_BYTES, type OversizedText } from '../reading/collectedText.ts';

const NEWLINE = 0x0a;
const BRACES: ReadonlySet<number | undefined> = new Set([0x7b, 0x5b]);
/** Before a message in the framing of the Language Server Protocol, which some servers write. */
const LENGTH = /^Content-Length:[ \t]*(\d{1,9})\r?$/i;
const HEADER = /^[\w-]+:[^\r]*\r?$/;
/** The first member of most messages, behind a line break: no message has that within. */
const NEXT = Buffer.from('\n{"jsonrpc"');
const BATCH = 0x5b;
/** Headers before a message at most. */
const MAX_HEADERS = 4;

export interface LineSink {
  onLine(line: string): void;
  onOversized(line: OversizedText): void;
  /** A line that is one of the headers of a message, or the empty one behind them. */
  onHeader?(line: string): void;
  /** A message comes behind headers that give its length. */
  onFrame?(): void;
}

/**
 * Splits bytes into lines (specification: stdio transport, messages are delimited by newlines).
 * What stands behind `Content-Length` and an empty line, and begins as a message does, is as long as that says. Not where
 * the server wrote a message on a line before, where it is over on its first line, or where the next one begins in it: then
 * the headers are of something else, in what the server logs.
 */
export class LineFramer {
  readonly #sink: LineSink;
  readonly #line: CollectedText;
  /** The lines of headers that may be before a message, and the length that they give. */
  #headers: { readonly lines: string[]; readonly length: number } | undefined;
  /** How much is left of a message whose length is known, in bytes. */
  #left = 0;
  #isBatch = false;
  /** The last bytes of its first line, as long as that goes on. */
  #tail: Buffer | undefined;
  /** What of a message whose length is known may be the start of `NEXT`. */
  #held: Buffer | undefined;
  /** A message came on a line of its own. */
  #hasLines = false;
  readonly #maxBytes: number;

  constructor(sink: LineSink, maxLineBytes: number = MAX_TEXT_BYTES) {
    this.#sink = sink;
    this.#maxBytes = maxLineBytes;
    this.#line = new CollectedText(maxLineBytes);
  }

  push(given: Buffer): void {
    const chunk = this.#held ? Buffer.concat([this.#held, given]) : given;
    this.#held = undefined;
    let from = 0;
    while (from < chunk.length) {
      if (this.#left > 0 && this.#line.bytes === 0 && !BRACES.has(chunk[from])) this.#left = 0;
      if (this.#left > 0) {
        from += this.#pushFrame(chunk.subarray(from, from + this.#left));
        continue;
      }
      const end = chunk.indexOf(NEWLINE, from);
      this.#line.push(chunk.subarray(from, end < 0 ? undefined : end));
      if (end < 0) return;
      this.#finishLine(true);
      from = end + 1;
    }
  }

  /** A piece of a message whose length is known. Returns how much of it is done with. */
  #pushFrame(piece: Buffer): number {
    if (this.#line.bytes === 0) {
      this.#isBatch = piece[0] === BATCH;
      this.#tail = Buffer.alloc(0);
    }
    const next = this.#isBatch ? -1 : this.#wholeAt(piece);
    if (next >= 0) {
      this.#left = 0;
      this.#line.push(piece.subarray(0, next));
      this.#finishLine();
      return next + 1;
    }
    const kept = this.#isBatch || piece.length === this.#left ? 0 : startOfNext(piece);
    if (kept > 0) this.#held = piece.subarray(piece.length - kept);
    this.#left -= piece.length - kept;
    this.#line.push(piece.subarray(0, piece.length - kept));
    if (this.#left === 0) this.#finishLine();
    return piece.length;
  }

  /** Where in a piece a message is over, whatever its length should be: nobody writes a line that is one on several lines. */
  #wholeAt(piece: Buffer): number {
    if (this.#tail) {
      const end = piece.indexOf(NEWLINE);
      const last = Buffer.concat([this.#tail, piece.subarray(0, end < 0 ? undefined : end).subarray(-2)]);
      this.#tail = end < 0 ? last.subarray(-2) : undefined;
      if (end >= 0 && /\}\r?$/.test(last.toString('latin1'))) return end;
    }
    return piece.indexOf(NEXT);
  }

  /** The input has ended. Returns the length of the unfinished line, in bytes. */
  end(): number {
    const left = this.#line.bytes + (this.#held?.length ?? 0);
    this.#held = undefined;
    this.#line.reset();
    return left;
  }

  /** @param isLine it ended with a line break, not with a length */
  #finishLine(isLine = false): void {
    const line = this.#line.take();
    if (isLine && typeof line === 'string')
      this.#hasLines ||= /^\s*(?:\[\s*)?\{/.test(line) && line.includes('"jsonrpc"');
    if (typeof line === 'string') this.#tell(line);
    else this.#sink.onOversized(line);
  }

  #tell(line: string): void {
    const headers = this.#headers;
    const length = headers || this.#hasLines ? 0 : Number(LENGTH.exec(line)?.[1] ?? 0);
    const isFirst = length > 0 && length <= this.#maxBytes;
    if (isFirst || headers) this.#sink.onHeader?.(line);
    if (isFirst) this.#headers = { lines: [line], length };
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
}

/** How much of the end of a piece is the start of `NEXT`. */
function startOfNext(piece: Buffer): number {
  for (let length = Math.min(NEXT.length - 1, piece.length); length > 0; length -= 1)
    if (piece.subarray(piece.length - length).equals(NEXT.subarray(0, length))) return length;
  return 0;
}
