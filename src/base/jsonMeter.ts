/** A shorter text takes no time to read, whatever is in it; in bytes. */
const ALWAYS_FINE_BYTES = 1024 * 1024;
/** What takes the time of reading JSON are its values and names, not its characters: so many of them are a lot. */
const MAX_PARTS = 2_000_000;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** 1 for what begins or parts values and names. */
const MARKS = new Uint8Array(256);
for (const mark of ',:[{') MARKS[mark.charCodeAt(0)] = 1;

/** Says of a text that comes in pieces whether, as JSON, it has more parts than can be read without holding everything up. */
export class JsonMeter {
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  #parts = 0;
  #inText = false;
  #escaped = false;

  /** Returns whether it is too much so far. */
  push(piece: Uint8Array): boolean {
    this.#bytes += piece.length;
    this.#waiting.push(piece);
    if (this.#bytes > ALWAYS_FINE_BYTES) for (const each of this.#waiting.splice(0)) this.#count(each);
    return this.#parts > MAX_PARTS;
  }

  reset(): void {
    this.#waiting = [];
    this.#bytes = 0;
    this.#parts = 0;
    this.#inText = false;
    this.#escaped = false;
  }

  #count(piece: Uint8Array): void {
    let { length: at } = piece;
    for (let next = 0; next < piece.length; next = at + 1) {
      at = this.#inText ? this.#endOfText(piece, next) : this.#startOfText(piece, next);
      this.#inText = at < piece.length ? !this.#inText : this.#inText;
    }
  }

  /** Where the next text begins; counts on the way. */
  #startOfText(piece: Uint8Array, from: number): number {
    const quote = piece.indexOf(QUOTE, from);
    const end = quote < 0 ? piece.length : quote;
    let parts = 0;
    for (let at = from; at < end; at += 1) parts += MARKS[piece[at] ?? 0] ?? 0;
    this.#parts += parts;
    return end;
  }

  /** The quote that ends a text: one behind an even number of backslashes. */
  #endOfText(piece: Uint8Array, from: number): number {
    for (let start = from; ;) {
      const quote = piece.indexOf(QUOTE, start);
      const end = quote < 0 ? piece.length : quote;
      let first = end;
      while (first > start && piece[first - 1] === BACKSLASH) first -= 1;
      const carried = first === from && this.#escaped ? 1 : 0;
      const isEscaped = (end - first + carried) % 2 === 1;
      this.#escaped = quote < 0 && isEscaped;
      if (quote < 0 || !isEscaped) return end;
      start = quote + 1;
    }
  }
}

/** The same of a text that is there as a whole. */
export function hasTooManyParts(text: string): boolean {
  return text.length > ALWAYS_FINE_BYTES && new JsonMeter().push(Buffer.from(text));
}
