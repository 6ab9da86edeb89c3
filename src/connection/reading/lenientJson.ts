/** What was made right to read a text as JSON. */
export type Repair = 'text around' | 'control characters' | 'not a number' | 'escapes' | 'commas' | 'literals';

/** The values of JSON in a text, in JSON that is right, and what was made right. */
export interface LenientJson {
  readonly texts: readonly string[];
  readonly repairs: ReadonlySet<Repair>;
  /** The text ends in the middle of a value. */
  readonly isOpen: boolean;
}

/** A longer text isn't repaired, in characters: so many can take 75 ms. */
const MAX_CHARS = 256 * 1024;
/** Numbers that JSON doesn't have, as Python, JavaScript and C++ write them; they are passed on as strings. */
const NOT_A_NUMBER = /[+-]?(?:NaN|Infinity|inf(?:inity)?|1\.#[A-Z]+)(?![\w.])/iy;
const LITERALS: readonly (readonly [RegExp, string])[] = [
  [/True(?!\w)/y, 'true'],
  [/False(?!\w)/y, 'false'],
  [/(?:None|undefined)(?!\w)/y, 'null'],
];
const BEGINNING = /\{\s*["}]|\[\s*\{/y;
const ESCAPES = new Set('"\\/bfnrt');

/**
 * Finds the values in a text that isn't JSON as a whole and makes them right: text before, between and after them, raw
 * control characters in strings, numbers like NaN, escapes and literals that JSON doesn't have, a comma too many. In one
 * pass over the text. Whether a text that comes out is JSON, the parser has to say.
 */
export function lenientJson(text: string): LenientJson {
  return text.length > MAX_CHARS ? { texts: [], repairs: new Set(), isOpen: false } : new LenientReader(text).read();
}

class LenientReader {
  readonly #text: string;
  readonly #repairs = new Set<Repair>();
  readonly #texts: string[] = [];
  #pieces: string[] = [];
  #depth = 0;
  #at = 0;
  /** Up to here the text is in `#pieces` or left out. */
  #done = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): LenientJson {
    const text = this.#text;
    let isClosed = true;
    while (this.#at < text.length) {
      const character = text[this.#at];
      if (this.#depth === 0 && !this.#begins(character)) this.#around(character ?? '');
      else if (character === '"') isClosed = this.#string();
      else this.#structure(character ?? '');
    }
    return { texts: this.#texts, repairs: this.#repairs, isOpen: this.#depth > 0 || !isClosed };
  }

  /** Whether an object or an array of objects begins here: a bracket alone may be a terminal code or a log's. */
  #begins(character: string | undefined): boolean {
    if (character !== '{' && character !== '[') return false;
    BEGINNING.lastIndex = this.#at;
    return BEGINNING.test(this.#text);
  }

  #around(character: string): void {
    if (/\S/.test(character) && character !== '\ufeff') this.#repairs.add('text around');
    this.#at += 1;
    this.#done = this.#at;
  }

  #structure(character: string): void {
    if (character === '{' || character === '[') {
      this.#depth += 1;
      this.#at += 1;
    } else if (character === '}' || character === ']') {
      this.#close();
    } else if (character > ' ' && !/[-\d:,]/.test(character)) {
      this.#word();
    } else if (character === '-' || character === '1') {
      this.#word();
    } else if (character < ' ' && !/\s/.test(character)) {
      this.#replace('', 1, 'control characters');
    } else this.#at += 1;
  }

  #close(): void {
    let last = this.#at - 1;
    while (last > this.#done && /\s/.test(this.#text[last] ?? '')) last -= 1;
    if (last >= this.#done && this.#text[last] === ',') {
      this.#pieces.push(this.#text.slice(this.#done, last));
      this.#done = this.#at;
      this.#repairs.add('commas');
    }
    this.#at += 1;
    this.#depth -= 1;
    if (this.#depth > 0) return;
    this.#take();
    this.#texts.push(this.#pieces.join(''));
    this.#pieces = [];
  }

  /** A literal or a number that JSON may not have. */
  #word(): void {
    NOT_A_NUMBER.lastIndex = this.#at;
    const odd = NOT_A_NUMBER.exec(this.#text)?.[0];
    if (odd !== undefined) return this.#replace(JSON.stringify(odd), odd.length, 'not a number');
    for (const [pattern, right] of LITERALS) {
      pattern.lastIndex = this.#at;
      const found = pattern.exec(this.#text)?.[0];
      if (found !== undefined) return this.#replace(right, found.length, 'literals');
    }
    this.#at += 1;
  }

  /** Returns whether the string ends. */
  #string(): boolean {
    const text = this.#text;
    this.#at += 1;
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at);
      if (code === 0x22) {
        this.#at += 1;
        return true;
      }
      if (code === 0x5c) this.#escape();
      else if (code < 0x20) this.#replace(JSON.stringify(text[this.#at]).slice(1, -1), 1, 'control characters');
      else this.#at += 1;
    }
    return false;
  }

  #escape(): void {
    const next = this.#text[this.#at + 1] ?? '';
    const isUnicode = next === 'u' && /^[\da-f]{4}$/i.test(this.#text.slice(this.#at + 2, this.#at + 6));
    if (isUnicode || ESCAPES.has(next)) this.#at += 2;
    else if (next === "'") this.#replace("'", 2, 'escapes');
    else this.#replace(String.raw`\\`, 1, 'escapes');
  }

  #replace(right: string, length: number, repair: Repair): void {
    this.#take();
    this.#pieces.push(right);
    this.#at += length;
    this.#done = this.#at;
    this.#repairs.add(repair);
  }

  #take(): void {
    if (this.#at > this.#done) this.#pieces.push(this.#text.slice(this.#done, this.#at));
    this.#done = this.#at;
  }
}
