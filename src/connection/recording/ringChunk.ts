/** What a chunk holds of one event, one behind the other: its numbers, and its texts. */
export interface RingRecord {
  readonly at: number;
  readonly seq: number;
  readonly connection: number;
  /** The place of the server in a table of the ring. */
  readonly server: number;
  /** What the texts are. */
  readonly kind: number;
  /** Decodes the text with that number; empty where there is none. */
  text(index: number): string;
  /** How long it is, in bytes. */
  bytesOf(index: number): number;
}

const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT;
/** Numbers before the lengths of the texts: those of `RingRecord`, and how many texts there are. */
const NUMBERS = 6;
/** A UTF-16 unit takes no more as UTF-8. */
const MOST_PER_CHAR = 3;
/** Of longer texts it is counted what they take: else the most is taken for it. */
const COUNTED_CHARS = 1_000;

/** What the texts take with what stands before them, in bytes, from above. */
export function bytesIn(texts: readonly string[]): number {
  let bytes = (NUMBERS + texts.length + 1) * NUMBER_BYTES;
  for (let index = 0; index < texts.length; index += 1) {
    const text = texts[index] ?? '';
    bytes += text.length > COUNTED_CHARS ? Buffer.byteLength(text) : MOST_PER_CHAR * text.length;
  }
  return bytes;
}

/**
 * A piece of the memory of a ring, filled from front to back with bytes: nothing in it is an object that the garbage collector looks at, or
 * moves. What is in it isn't changed until the whole is `clear`ed.
 */
export class RingChunk {
  readonly #bytes: Buffer;
  readonly #numbers: Float64Array;
  #used = 0;
  /** When the last of its events was, in milliseconds since the epoch. */
  lastAt = 0;
  /** The `seq` of its first and of its last event, and how many there are. */
  firstSeq = 0;
  lastSeq = 0;
  count = 0;
  /** So many may still read it: meanwhile it isn't filled anew. */
  lent = 0;

  /** The size of a chunk that has room for so many bytes. */
  static sizeFor(bytes: number): number {
    return Math.ceil(bytes / NUMBER_BYTES) * NUMBER_BYTES;
  }

  /** @param size as of `sizeFor` */
  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafeSlow(size);
    this.#numbers = new Float64Array(this.#bytes.buffer);
  }

  get size(): number {
    return this.#bytes.length;
  }

  /** @param bytes as of `bytesIn` */
  hasRoom(bytes: number): boolean {
    return this.#used + bytes <= this.#bytes.length;
  }

  clear(): void {
    this.#used = 0;
    this.count = 0;
  }

  /** Where there is room for it. */
  add(at: number, seq: number, connection: number, server: number, kind: number, texts: readonly string[]): void {
    const numbers = this.#numbers;
    let place = this.#used / NUMBER_BYTES;
    numbers[place] = at;
    numbers[place + 1] = seq;
    numbers[place + 2] = connection;
    numbers[place + 3] = server;
    numbers[place + 4] = kind;
    numbers[place + 5] = texts.length;
    place += NUMBERS;
    let used = (place + texts.length) * NUMBER_BYTES;
    for (let index = 0; index < texts.length; index += 1) {
      const written = this.#bytes.write(texts[index] ?? '', used);
      numbers[place + index] = written;
      used += written;
    }
    this.#used = RingChunk.sizeFor(used);
    this.lastAt = at;
    if (this.count === 0) this.firstSeq = seq;
    this.lastSeq = seq;
    this.count += 1;
  }

  /** What it holds now, oldest first. */
  *records(): Generator<RingRecord> {
    const end = this.#used;
    for (let from = 0; from < end;) {
      const record = new ReadRecord(this.#bytes, this.#numbers, from / NUMBER_BYTES);
      yield record;
      from = record.end;
    }
  }
}

class ReadRecord implements RingRecord {
  readonly #bytes: Buffer;
  readonly #numbers: Float64Array;
  readonly #place: number;

  constructor(bytes: Buffer, numbers: Float64Array, place: number) {
    this.#bytes = bytes;
    this.#numbers = numbers;
    this.#place = place;
  }

  get at(): number {
    return this.#number(0);
  }

  get seq(): number {
    return this.#number(1);
  }

  get connection(): number {
    return this.#number(2);
  }

  get server(): number {
    return this.#number(3);
  }

  get kind(): number {
    return this.#number(4);
  }

  bytesOf(index: number): number {
    return index < this.#texts ? this.#number(NUMBERS + index) : 0;
  }

  text(index: number): string {
    const from = this.#from(index);
    return this.#bytes.toString('utf8', from, from + this.bytesOf(index));
  }

  /** Where the next begins, in bytes. */
  get end(): number {
    return RingChunk.sizeFor(this.#from(this.#texts));
  }

  get #texts(): number {
    return this.#number(5);
  }

  #from(index: number): number {
    let from = (this.#place + NUMBERS + this.#texts) * NUMBER_BYTES;
    for (let before = 0; before < index; before += 1) from += this.bytesOf(before);
    return from;
  }

  #number(index: number): number {
    return this.#numbers[this.#place + index] ?? 0;
  }
}
