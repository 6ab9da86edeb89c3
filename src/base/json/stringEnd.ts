import type { Steps } from '../timeSlices.ts';

/** So many escapes are passed over in one step. */
const ESCAPES_IN_STEP = 4_096;

/** Finds a character again and again on the way through a text: what lies between two of them is gone through once. */
export class NextOf {
  readonly #text: string;
  readonly #sign: string;
  /** There is none from `#from` up to `#at`. */
  #from = 0;
  #at = -1;

  constructor(text: string, sign: string) {
    this.#text = text;
    this.#sign = sign;
  }

  /** Where it is, at `from` or behind; the length of the text where it isn't. */
  find(from: number): number {
    if (from > this.#at || from < this.#from) {
      const at = this.#text.indexOf(this.#sign, from);
      this.#from = from;
      this.#at = at < 0 ? this.#text.length : at;
    }
    return this.#at;
  }
}

/** Finds where strings end in a text of JSON, each behind the one before. */
export class StringEnds {
  readonly #text: string;
  readonly #quotes: NextOf;
  readonly #backslashes: NextOf;

  constructor(text: string) {
    this.#text = text;
    this.#quotes = new NextOf(text, '"');
    this.#backslashes = new NextOf(text, '\\');
  }

  /**
   * Behind the quote that ends a string, in steps; the length of the text where none does.
   * @param from behind the quote that begins it
   */
  *behind(from: number): Steps<number> {
    for (let [at, count] = [from, 1]; at < this.#text.length; count += 1) {
      const quote = this.#quotes.find(at);
      const backslash = this.#backslashes.find(at);
      if (backslash > quote) return quote + 1;
      at = backslash + 2;
      if (count % ESCAPES_IN_STEP === 0) yield;
    }
    return this.#text.length;
  }
}
