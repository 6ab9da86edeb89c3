import { CollectedText, MAX_TEXT_BYTES, type OversizedText } from '../reading/collectedText.ts';

const NEWLINE = 0x0a;
const BRACES: ReadonlySet<number | undefined> = new Set([0x7b, 0x5b]);
/** Before a message in the framing of the Language Server Protocol, which some servers write. */
const LENGTH = /^Content-Length:[ \t]*(\d{1,9})\r?$/i;
const HEADER = /^[\w-]+:[^\r]*\r?$/;
/** Headers before a message at most. */
const MAX_HEADERS = 4;

export interface LineSink {
  onLine(line: string): void;
  onOversized(line: OversizedText): void;
  /** A message comes behind headers that give its length. */
  onFrame?(): void;
}

/**
 * Splits bytes into lines (specification: stdio transport, messages are delimited by newlines).
 * What stands behind `Content-Length` and an empty line, and begins as a message does, is as long as that says.
 */
export class LineFramer {
  readonly #sink: LineSink;
  readonly #line: CollectedText;
  /** The lines of headers that may be before a message, and the length that they give. */
  #headers: { readonly lines: string[]; readonly length: number } | undefined;
  /** How much is left of a message whose length is known, in bytes. */
  #left = 0;

  constructor(sink: LineSink, maxLineBytes: number = MAX_TEXT_BYTES) {
    this.#sink = sink;
    this.#line = new CollectedText(maxLineBytes);
  }

  push(chunk: Buffer): void {
    let from = 0;
    while (from < chunk.length) {
      if (this.#left > 0 && this.#line.bytes === 0 && !BRACES.has(chunk[from])) this.#left = 0;
      if (this.#left > 0) {
        const piece = chunk.subarray(from, from + this.#left);
        from += piece.length;
        this.#left -= piece.length;
        this.#line.push(piece);
        if (this.#left === 0) this.#finishLine();
        continue;
      }
      const end = chunk.indexOf(NEWLINE, from);
      this.#line.push(chunk.subarray(from, end < 0 ? undefined : end));
      if (end < 0) return;
      this.#finishLine();
      from = end + 1;
    }
  }

  /** The input has ended. Returns the length of the unfinished line, in bytes. */
  end(): number {
    const left = this.#line.bytes;
    this.#line.reset();
    return left;
  }

  #finishLine(): void {
    const line = this.#line.take();
    if (typeof line === 'string') this.#tell(line);
    else this.#sink.onOversized(line);
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
}
