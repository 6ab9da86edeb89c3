/** Numbers before each text: when, which, of which link and in which direction, how long. */
const NUMBERS = 4;
const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT;
/** A UTF-16 unit takes no more as UTF-8. */
const MOST_PER_CHAR = 3;

/**
 * The least that keeps the last messages: a look at the clock, four numbers, and the text as bytes, in memory that is filled anew. It
 * can't be read, masks nothing, counts nothing for a server, and knows neither decisions nor which call a message is for.
 */
export class LeastRing {
  readonly #bytes: Buffer;
  readonly #numbers: Float64Array;
  #used = 0;
  #seq = 0;

  /** @param size in bytes */
  constructor(size: number) {
    this.#bytes = Buffer.alloc(size, 1);
    this.#numbers = new Float64Array(this.#bytes.buffer, this.#bytes.byteOffset, size / NUMBER_BYTES);
  }

  keep(direction: 'sent' | 'received', text: string): void {
    const head = NUMBERS * NUMBER_BYTES;
    if (this.#used + head + MOST_PER_CHAR * text.length > this.#bytes.length) this.#used = 0;
    const place = this.#used / NUMBER_BYTES;
    const written = this.#bytes.write(text, this.#used + head);
    this.#numbers[place] = performance.now();
    this.#numbers[place + 1] = this.#seq += 1;
    this.#numbers[place + 2] = direction === 'sent' ? 1 : 2;
    this.#numbers[place + 3] = written;
    this.#used += Math.ceil((head + written) / NUMBER_BYTES) * NUMBER_BYTES;
  }
}
