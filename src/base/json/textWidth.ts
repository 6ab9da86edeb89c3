import { isAscii } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';

/**
 * A text in which one character is beyond Latin-1 takes two bytes for each, and putting it together twice as long: so many
 * characters may be in it. Invalid UTF-8 is such a text, since each byte of it becomes U+FFFD.
 */
export const MAX_WIDE_CHARS = 32 * 1024 * 1024;

const WIDE = /[^\u0000-\u00ff]/u;

/** Says of a text that comes in pieces of UTF-8 whether it is too long for the room that its characters take. */
export class TextWidth {
  #decoder = new StringDecoder('utf8');
  #chars = 0;
  #isWide = false;

  /** Returns whether it is too long so far. */
  push(piece: Uint8Array): boolean {
    if (isAscii(piece)) this.#chars += piece.length;
    else {
      const text = this.#decoder.write(Buffer.from(piece.buffer, piece.byteOffset, piece.length));
      this.#chars += text.length;
      this.#isWide ||= WIDE.test(text);
    }
    return this.#isWide && this.#chars > MAX_WIDE_CHARS;
  }
}
