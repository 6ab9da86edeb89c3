import { rethrowLater } from '../../../base/event.ts';
import { atOnce, inSlices, nextTurn, type Steps } from '../../../base/timeSlices.ts';

/** A longer message is read in slices, in characters; what comes behind it waits. */
const MAX_AT_ONCE = 256 * 1024;
/** Messages of one turn weigh no more: what they have of characters, and so much for each. */
const MAX_IN_TURN = 512 * 1024;
const MESSAGE_WEIGHT = 256;

export interface FrameQueueSink {
  /** Takes a message, in steps. What it throws is a fault of its own: the other messages are read. */
  read(text: string): Steps<void>;
  /** No more messages are wanted for now, or they are again. */
  onBusy(isBusy: boolean): void;
}

/** Reads messages in their order, so many in a turn. */
export class FrameQueue {
  readonly #sink: FrameQueueSink;
  #waiting: string[] = [];
  #inTurn = 0;
  #reading: Promise<void> | undefined;

  constructor(sink: FrameQueueSink) {
    this.#sink = sink;
  }

  /** Under way while messages wait. */
  get reading(): Promise<void> | undefined {
    return this.#reading;
  }

  push(text: string): void {
    if (!this.#reading && text.length <= MAX_AT_ONCE && !this.#isEnough(text)) return atOnce(this.#safely(text));
    this.#waiting.push(text);
    this.#reading ??= this.#readWaiting();
  }

  /** What waits isn't wanted any more. */
  clear(): void {
    this.#waiting = [];
  }

  async #readWaiting(): Promise<void> {
    this.#sink.onBusy(true);
    await nextTurn();
    while (this.#waiting.length > 0) {
      // Shifting a long list takes long.
      const texts = this.#waiting;
      this.#waiting = [];
      for (const text of texts) await this.#read(text);
    }
    this.#reading = undefined;
    this.#sink.onBusy(false);
  }

  async #read(text: string): Promise<void> {
    if (this.#isEnough(text)) await nextTurn();
    if (text.length > MAX_AT_ONCE) await inSlices(this.#safely(text));
    else atOnce(this.#safely(text));
  }

  *#safely(text: string): Steps<void> {
    try {
      yield* this.#sink.read(text);
    } catch (error) {
      rethrowLater(error);
    }
  }

  /** Whether so much came in this turn that others should run first. */
  #isEnough({ length }: string): boolean {
    if (this.#inTurn === 0) setImmediate(() => (this.#inTurn = 0));
    this.#inTurn += MESSAGE_WEIGHT + length;
    return this.#inTurn > MAX_IN_TURN;
  }
}
