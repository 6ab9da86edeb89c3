import { StringDecoder } from 'node:string_decoder';
import type { Mask } from '../../base/text/secrets.ts';

/** The last lines of what a server writes on stderr, without its secrets. Bounded in lines and in characters per line. */
export class StderrRing {
  readonly #mask: Mask;
  readonly #maxLines: number;
  readonly #maxLineChars: number;
  readonly #decoder = new StringDecoder('utf8');
  #lines: string[] = [];
  #partial = '';

  constructor(mask: Mask, maxLines: number = 200, maxLineChars: number = 2000) {
    this.#mask = mask;
    this.#maxLines = maxLines;
    this.#maxLineChars = maxLineChars;
  }

  /** Takes bytes; returns the lines that they completed. */
  push(chunk: Buffer): readonly string[] {
    const pieces = this.#decoder.write(chunk).split('\n');
    const last = pieces.pop() ?? '';
    const completed: string[] = [];
    for (const piece of pieces) {
      completed.push(this.#cut(this.#partial + piece));
      this.#partial = '';
    }
    if (this.#partial.length < this.#maxLineChars || last.includes('\r')) this.#partial = asShown(this.#partial + last);
    this.#remember(completed);
    return completed;
  }

  /** The last `count` lines, oldest first; an unfinished last line counts as one. */
  tail(count: number): readonly string[] {
    const unfinished = this.#partial.trim() ? [this.#cut(this.#partial)] : [];
    return [...this.#lines.filter((line) => line.trim()), ...unfinished].slice(-count);
  }

  #remember(lines: readonly string[]): void {
    this.#lines = lines.length >= this.#maxLines ? lines.slice(-this.#maxLines) : this.#lines.concat(lines);
    // Trimmed in larger steps, so that not each line copies the ring.
    if (this.#lines.length > 2 * this.#maxLines) this.#lines = this.#lines.slice(-this.#maxLines);
  }

  #cut(line: string): string {
    // Before it is cut: the beginning of a secret is no longer found.
    const text = this.#mask(asShown(line).replace(/\r$/, ''));
    return text.length > this.#maxLineChars ? `${text.slice(0, this.#maxLineChars)}…` : text;
  }
}

/** What a terminal shows of a line: a return lets what follows overwrite what was there, e.g. a progress bar. */
function asShown(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end -= 1;
  const begin = line.lastIndexOf('\r', end - 1) + 1;
  return end === line.length ? line.slice(begin) : `${line.slice(begin, end)}\r`;
}
