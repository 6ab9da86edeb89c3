import type { Steps } from '../timeSlices.ts';

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
    if (piece.length === 0) return;
    let parts = 0;
    let inText = this.#inText;
    let at = this.#escaped ? 1 : 0;
    for (let since = at; at < piece.length; at += 1) {
      const byte = piece[at] ?? 0;
      if (!inText) {
        if (byte === QUOTE) [inText, since] = [true, at];
        else parts += MARKS[byte] ?? 0;
      } else if (byte === QUOTE) inText = false;
      else if (byte === BACKSLASH) [at, since] = [at + 1, at + 1];
      else if (at - since > LONG_TEXT) {
        // Of a long text, what is plain is passed over at once.
        at = nextOf(piece, at) - 1;
        since = at;
      }
    }
    this.#escaped = at > piece.length;
    this.#inText = inText;
    this.#parts += parts;
  }
}

/** How far it is looked at once, in bytes: what stands close together must not make it look far again and again. */
const LOOK = 1024;

/** Where the next quote or backslash is, or the end of where it is looked for. */
function nextOf(piece: Uint8Array, from: number): number {
  const near = piece.subarray(from, from + LOOK);
  const quote = near.indexOf(QUOTE);
  const plain = quote < 0 ? near : near.subarray(0, quote);
  const backslash = plain.indexOf(BACKSLASH);
  return from + (backslash < 0 ? plain.length : backslash);
}

/** So much of a text is looked at in one step, in characters. */
const PIECE = 64 * 1024;

/** The same of a text that is there as a whole, in steps. */
export function* hasTooManyParts(text: string): Steps<boolean> {
  if (text.length <= ALWAYS_FINE_BYTES) return false;
  const meter = new JsonMeter();
  for (let from = 0; from < text.length; from += PIECE) {
    if (meter.push(Buffer.from(text.slice(from, from + PIECE)))) return true;
    yield;
  }
  return false;
}
