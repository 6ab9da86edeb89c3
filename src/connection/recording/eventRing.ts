import { whatOf, type KeptForm } from './eventBytes.ts';
import type { RecordedEvent, RecordedWhat } from './recordedEvent.ts';
import { bytesIn, RingChunk, type RingRecord } from './ringChunk.ts';

/** How much a ring keeps: of the last `maxAgeMs` milliseconds, and no more than `maxBytes` in memory. Where either is 0, nothing. */
export interface RingLimits {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

/** Which of the events: the last `most` of those behind the one with the `seq` `after`. */
export interface RingPart {
  readonly after: number;
  readonly most: number;
}

/** All that is kept. */
export const EVERYTHING: RingPart = { after: Number.NEGATIVE_INFINITY, most: Infinity };

/** Memory is taken, and let go of, in pieces of so many bytes, or of an eighth of all. */
const CHUNK_BYTES = 256 * 1024;
const LEAST_CHUNKS = 8;

/**
 * So many events wait until they are written, all in one go: the code is at hand then, which halves what it takes. And so many UTF-16 units of
 * their texts.
 */
const MOST_WAITING = 128;
const MOST_WAITING_CHARS = 64 * 1024;

/** An event that isn't written yet. */
interface Waiting extends Omit<RecordedEvent, 'what'> {
  readonly form: KeptForm;
}

/** The last events, oldest first: as bytes, so that keeping them leaves nothing to the garbage collector. */
export class EventRing {
  #limits: RingLimits = { maxAgeMs: 0, maxBytes: 0 };
  #chunks: RingChunk[] = [];
  #last: RingChunk | undefined;
  #bytes = 0;
  #waiting: Waiting[] = [];
  #waitingChars = 0;
  readonly #servers: string[] = [];
  readonly #places = new Map<string, number>();
  /** Whether it keeps anything. */
  isOn = false;

  constructor(limits: RingLimits) {
    this.limits = limits;
  }

  get maxBytes(): number {
    return this.#limits.maxBytes;
  }

  /** What it takes in memory, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  set limits(limits: RingLimits) {
    this.#limits = limits;
    this.isOn = limits.maxAgeMs > 0 && limits.maxBytes > 0;
    this.#write();
    // Of another size than those to come.
    this.#shrinkTo(this.isOn ? limits.maxBytes : 0);
  }

  /** What is larger than all of it isn't kept. */
  add(event: Waiting): void {
    this.#waitingChars += event.form.texts[0]?.length ?? 0;
    if (this.#waiting.push(event) >= MOST_WAITING || this.#waitingChars > MOST_WAITING_CHARS) this.#write();
  }

  /** The `seq` of the oldest event, or of one before that is too old; `undefined`: there is none. */
  get oldest(): number | undefined {
    return this.#chunks[0]?.firstSeq;
  }

  /**
   * They stay as they are, whatever happens meanwhile.
   * @param now milliseconds since the epoch
   */
  recent(now: number): readonly RecordedEvent[] {
    const chunks = this.#chunksOf(EVERYTHING);
    for (const chunk of chunks) chunk.lent += 1;
    return this.#eventsIn(chunks, now, EVERYTHING);
  }

  /**
   * Gives some of the last events to `use`, oldest first. They stay as they are until that is over, and are of no use then: their memory is
   * filled anew.
   */
  async reading<T>(now: number, part: RingPart, use: (events: readonly RecordedEvent[]) => Promise<T>): Promise<T> {
    const chunks = this.#chunksOf(part);
    for (const chunk of chunks) chunk.lent += 1;
    try {
      return await use(this.#eventsIn(chunks, now, part));
    } finally {
      for (const chunk of chunks) chunk.lent -= 1;
    }
  }

  /** Those with the last events, as many as are wanted. */
  #chunksOf({ after, most }: RingPart): readonly RingChunk[] {
    this.#write();
    let count = 0;
    let from = this.#chunks.length;
    for (; from > 0 && count < most; from -= 1) {
      const chunk = this.#chunks[from - 1];
      if (!chunk || chunk.lastSeq <= after) break;
      count += chunk.count;
    }
    return this.#chunks.slice(from);
  }

  #eventsIn(chunks: readonly RingChunk[], now: number, { after, most }: RingPart): readonly RecordedEvent[] {
    const from = now - this.#limits.maxAgeMs;
    const events: RecordedEvent[] = [];
    const read = oneAtATime();
    for (const chunk of chunks)
      for (const record of chunk.records())
        if (record.at >= from && record.seq > after)
          events.push(eventOf(record, this.#servers[record.server] ?? '', read));
    return events.length > most ? events.slice(-most) : events;
  }

  #write(): void {
    for (const { seq, at, server, connection, form } of this.#waiting) {
      const bytes = bytesIn(form.texts);
      const chunk = this.#last?.hasRoom(bytes) === true ? this.#last : this.#begin(bytes);
      chunk?.add(at, seq, connection, this.#placeOf(server), form.kind, form.texts);
    }
    this.#waiting = [];
    this.#waitingChars = 0;
    const [first] = this.#chunks;
    const last = this.#last?.lastAt ?? 0;
    if (first && first.lastAt < last - this.#limits.maxAgeMs) this.#shrinkTo(this.#bytes - first.size);
  }

  /** A chunk with so much room, in place of the oldest where all may be taken. */
  #begin(bytes: number): RingChunk | undefined {
    const { maxBytes } = this.#limits;
    const size = RingChunk.sizeFor(Math.max(bytes, Math.min(CHUNK_BYTES, maxBytes / LEAST_CHUNKS)));
    if (size > maxBytes) return undefined;
    const free = this.#shrinkTo(maxBytes - size);
    const isUsable = free?.lent === 0 && free.size === size;
    const chunk = isUsable ? free : new RingChunk(size);
    chunk.clear();
    this.#chunks.push(chunk);
    this.#bytes += size;
    return (this.#last = chunk);
  }

  /** Lets go of the oldest. @returns the last of them, to be filled anew */
  #shrinkTo(maxBytes: number): RingChunk | undefined {
    let free: RingChunk | undefined;
    while (this.#bytes > maxBytes) {
      free = this.#chunks.shift();
      if (!free) break;
      this.#bytes -= free.size;
      if (free === this.#last) this.#last = undefined;
    }
    return free;
  }

  #placeOf(server: string): number {
    const known = this.#places.get(server);
    if (known !== undefined) return known;
    const place = this.#servers.push(server) - 1;
    this.#places.set(server, place);
    return place;
  }
}

/** What it says is read when it is asked for: all at once could take many times the memory. */
function eventOf(record: RingRecord, server: string, read: typeof whatOf): RecordedEvent {
  const { seq, at, connection } = record;
  return {
    ...{ seq, at, server, connection },
    get what(): RecordedWhat {
      return read(record);
    },
  };
}

/** Knows the last that it read: who looks at an event looks several times. */
function oneAtATime(): typeof whatOf {
  let last: RingRecord | undefined;
  let what: RecordedWhat | undefined;
  return (record) => {
    if (record !== last || !what) [last, what] = [record, whatOf(record)];
    return what;
  };
}
