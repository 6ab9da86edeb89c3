import { rethrowLater } from '../../../base/event.ts';
import { atOnce, inSlices, nextTurn, type Steps } from '../../../base/timeSlices.ts';

/** A longer frame is read in slices, in characters; what comes behind it waits. */
const MAX_AT_ONCE = 256 * 1024;
/** Frames of one turn weigh no more: what they have of characters, and so much for each. */
const MAX_IN_TURN = 512 * 1024;
const FRAME_WEIGHT = 256;
/** What may wait, by the same weight: two of the longest frames. */
const MAX_WAITING = 128 * 1024 * 1024;

/** Reads frames in their order, so many in a turn. A WebSocket can't be paused, so what waits has a bound. */
export class FrameQueue {
  readonly #read: (text: string) => Steps<void>;
  #waiting: string[] = [];
  #next = 0;
  #weight = 0;
  #inTurn = 0;
  #reading: Promise<void> | undefined;

  /** @param read takes a frame, in steps. What it throws is a fault of its own: the other frames are read. */
  constructor(read: (text: string) => Steps<void>) {
    this.#read = read;
  }

  /** Under way while frames wait. */
  get reading(): Promise<void> | undefined {
    return this.#reading;
  }

  /** @returns whether there is room for it */
  push(text: string): boolean {
    if (!this.#reading && text.length <= MAX_AT_ONCE && !this.#isEnough(text)) {
      atOnce(this.#read(text));
      return true;
    }
    if (this.#weight + text.length + FRAME_WEIGHT > MAX_WAITING) return false;
    this.#weight += text.length + FRAME_WEIGHT;
    this.#waiting.push(text);
    this.#reading ??= this.#readWaiting();
    return true;
  }

  /** What waits isn't wanted any more. */
  clear(): void {
    this.#waiting = [];
    [this.#next, this.#weight] = [0, 0];
  }

  async #readWaiting(): Promise<void> {
    await nextTurn();
    for (let text = this.#take(); text !== undefined; text = this.#take()) {
      if (this.#isEnough(text)) await nextTurn();
      try {
        if (text.length > MAX_AT_ONCE) await inSlices(this.#read(text));
        else atOnce(this.#read(text));
      } catch (error) {
        rethrowLater(error);
      }
    }
    this.#reading = undefined;
  }

  /** The next one. Those that were read are dropped together: shifting a long list takes long. */
  #take(): string | undefined {
    const text = this.#waiting[this.#next];
    if (text === undefined) {
      this.clear();
      return undefined;
    }
    this.#waiting[this.#next] = '';
    this.#next += 1;
    this.#weight -= text.length + FRAME_WEIGHT;
    if (this.#next >= 10_000 && this.#next * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#next);
      this.#next = 0;
    }
    return text;
  }

  /** Whether so much came in this turn that others should run first. */
  #isEnough({ length }: string): boolean {
    if (this.#inTurn === 0) setImmediate(() => (this.#inTurn = 0));
    this.#inTurn += FRAME_WEIGHT + length;
    return this.#inTurn > MAX_IN_TURN;
  }
}
