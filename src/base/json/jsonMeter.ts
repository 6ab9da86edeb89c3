import { TextWidth } from './textWidth.ts';

/** A shorter text takes no time to read, whatever is in it; in bytes. */
const ALWAYS_FINE_BYTES = 1024 * 1024;
/** What takes the time of reading JSON are its values and names, not its characters: so many of them are a lot. */
const MAX_PARTS = 2_000_000;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** In a text that is longer, in bytes, its end is looked for at once: for short ones that takes longer than to look. */
const LONG_TEXT = 64;
/** 1 for what begins or parts values and names. */
const MARKS = new Uint8Array(256);
for (const mark of ',:[{') MARKS[mark.charCodeAt(0)] = 1;

/**
 * Says of a text that comes in pieces whether, as JSON, it has more parts, or takes more room, than can be read without
 * holding everything up.
 */
export class JsonMeter {
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  #parts = 0;
  #width = new TextWidth();
  #isTooWide = false;
  #inText = false;
  #escaped = false;

  /** Returns whether it is too much so far. */
  push(piece: Uint8Array): boolean {
    this.#bytes += piece.length;
    this.#waiting.push(piece);
    if (this.#bytes > ALWAYS_FINE_BYTES)
      for (const each of this.#waiting.splice(0)) {
        this.#count(each);
        this.#isTooWide ||= this.#width.push(each);
      }
    if (this.#isTooWide) return true;
    return this.#parts > MAX_PARTS;
  }

  reset(): void {
    this.#waiting = [];
    if (this.#bytes > ALWAYS_FINE_BYTES) this.#width = new TextWidth();
    this.#isTooWide = false;
    this.#bytes = 0;
    this.#parts = 0;
    this.#inText = false;
    this.#escaped = false;
  }

  #count(piece: Uint8Array): void {
    const { length } = piece;
    if (length === 0) return;
    let parts = 0;
    let inText = this.#inText;
    let at = this.#escaped ? 1 : 0;
    while (at < length) {
      if (inText) {
        at = endOfPlain(piece, at);
        inText = piece[at] !== QUOTE;
        if (at < length) at += inText ? 2 : 1;
      } else {
        for (; at < length && piece[at] !== QUOTE; at += 1) parts += MARKS[piece[at] ?? 0] ?? 0;
        inText = at < length;
        at += inText ? 1 : 0;
      }
    }
    this.#escaped = at > length;
    this.#inText = inText;
    this.#parts += parts;
  }
}

/** Where a quote or a backslash is next; the end of the piece where none is. */
function endOfPlain(piece: Uint8Array, from: number): number {
  const near = Math.min(from + LONG_TEXT, piece.length);
  for (let at = from; at < near; at += 1) if (piece[at] === QUOTE || piece[at] === BACKSLASH) return at;
  // Of a long text, what is plain is passed over at once; what stands close together must not make it look far again and again.
  for (let at = near; at < piece.length; at += LOOK) {
    const some = piece.subarray(at, at + LOOK);
    const quote = some.indexOf(QUOTE);
    const backslash = (quote < 0 ? some : some.subarray(0, quote)).indexOf(BACKSLASH);
    if (backslash >= 0 || quote >= 0) return at + (backslash >= 0 ? backslash : quote);
  }
  return piece.length;
}

/** How far it is looked at once, in bytes. */
const LOOK = 1024;
