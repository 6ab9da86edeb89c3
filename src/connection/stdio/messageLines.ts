import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { rethrowLater } from '../../base/event.ts';
import { atOnce, inSlices, nextTurn, type Steps } from '../../base/timeSlices.ts';
import {
  readCutOff,
  readMessages,
  readMessageSteps,
  READING,
  type RawMessage,
  type ReadText,
} from '../reading/readMessages.ts';

export interface MessageSink {
  /** @param text of the message alone; absent where it came with others */
  onMessage(message: RawMessage, text?: string): void;
  /** A line that is no message. */
  onNoise(line: string): void;
  /** What begins as a message does and can't be read. `id`: of the request that it answers, where that can be found. */
  onUnreadable(id: string | number | undefined, reason: string, line: string): void;
  /** No more lines are wanted for now, or they are again. */
  onBusy?(isBusy: boolean): void;
}

/** The next line of a message with line breaks in it must come within this, in milliseconds. */
const NEXT_LINE_MS = 500;
/** And all of it within this: else lines that only look like the begin of a message hold back a whole log. */
const WHOLE_MS = 3_000;
/** A longer line is read in slices, in characters; what comes behind it waits. */
const MAX_AT_ONCE = 256 * 1024;
/** Lines of one turn weigh no more: what they have of characters, and so much for each. */
const MAX_IN_TURN = 512 * 1024;
const LINE_WEIGHT = 256;
/** Longest message with line breaks that is joined, in characters. */
const MAX_JOINED = 4 * 1024 * 1024;

/**
 * The messages in the lines of a server's output. A message is one line (specification: stdio transport); servers that
 * print JSON over several lines, or a line break in a string as it is, are understood, too.
 */
export class MessageLines implements Disposable {
  readonly #sink: MessageSink;
  readonly #clock: Clock;
  #open: { readonly lines: string[]; readonly nesting: Nesting; readonly until: number; chars: number } | undefined;
  #timer: Disposable | undefined;
  /** Lines that wait for a long one, or for the next turn. */
  #waiting: string[] | undefined;
  /** What the lines of this turn weigh. */
  #inTurn = 0;
  #isDisposed = false;

  constructor(sink: MessageSink, clock: Clock) {
    this.#sink = sink;
    this.#clock = clock;
  }

  /** Whether lines are left to read. */
  get isBusy(): boolean {
    return this.#waiting !== undefined;
  }

  push(line: string): void {
    if (this.#waiting) this.#waiting.push(line);
    else if (this.#isLong(line) || this.#isEnough(line)) void this.#readSlowly(line);
    else atOnce(this.#read(line));
  }

  /** Counts what was read and is no line of a message: other lines wait for the next turn where there is too much of it. */
  weigh(text: string): void {
    if (!this.#waiting && this.#isEnough(text)) void this.#readSlowly();
  }

  /** Whether it is, or what it may be the end of. */
  #isLong(line: string): boolean {
    return line.length + (this.#open?.chars ?? 0) > MAX_AT_ONCE;
  }

  /** Whether so much came in this turn that others should run first. */
  #isEnough({ length }: string): boolean {
    if (this.#inTurn === 0) setImmediate(() => (this.#inTurn = 0));
    this.#inTurn += LINE_WEIGHT + length;
    return this.#inTurn > MAX_IN_TURN;
  }

  async #readSlowly(...first: readonly string[]): Promise<void> {
    this.#waiting = [...first];
    this.#sink.onBusy?.(true);
    if (first.length === 0) await nextTurn();
    while (this.#waiting.length > 0 && !this.#isDisposed) {
      // Shifting a long list takes long.
      const lines = this.#waiting;
      this.#waiting = [];
      for (const line of lines) await this.#readInTurn(line);
    }
    this.#waiting = undefined;
    this.#sink.onBusy?.(false);
  }

  async #readInTurn(line: string): Promise<void> {
    if (this.#isDisposed) return;
    if (this.#isEnough(line)) await nextTurn();
    try {
      if (this.#isLong(line)) await inSlices(this.#read(line));
      else atOnce(this.#read(line));
    } catch (error) {
      // The pipe would wait for ever.
      rethrowLater(error);
    }
  }

  *#read(line: string): Steps<void> {
    if (!line.trim() && !this.#open) return;
    const read = yield* readMessageSteps(line);
    if (read.kind === 'messages') {
      this.#giveUp();
      const text = read.messages.length === 1 ? line : undefined;
      for (const message of read.messages) this.#sink.onMessage(message, text);
    } else if (this.#open) yield* this.#goOn(line);
    else if (/^\s*[{[]/.test(line)) this.#begin(line, read);
    else this.#tell(line, read);
  }

  #begin(line: string, read: ReadText): void {
    if (line.length > MAX_JOINED) return this.#tell(line, read);
    const nesting = new Nesting();
    nesting.push(line);
    if (!nesting.isOpen) return this.#tell(line, read);
    this.#open = { lines: [line], nesting, until: this.#clock.now() + WHOLE_MS, chars: line.length };
    this.#wait(NEXT_LINE_MS);
  }

  *#goOn(line: string): Steps<void> {
    const open = this.#open;
    if (!open) return;
    open.lines.push(line);
    open.chars += line.length;
    open.nesting.push(`\n${line}`);
    if (open.chars > MAX_JOINED) return this.#giveUp();
    if (open.nesting.isOpen) return this.#wait(Math.min(NEXT_LINE_MS, open.until - this.#clock.now()));
    // No time counts while it is read.
    this.#timer?.dispose();
    const whole = open.lines.join('\n');
    const read = yield* readMessageSteps(whole);
    if (read.kind !== 'messages') return this.#giveUp();
    this.#end();
    const text = read.messages.length === 1 ? whole : undefined;
    for (const message of read.messages) {
      const tolerated = [...(message[READING]?.tolerated ?? []), 'lines in a message' as const];
      const own: RawMessage = { ...message };
      this.#sink.onMessage(Object.defineProperty(own, READING, { value: { ...message[READING], tolerated } }), text);
    }
  }

  #wait(delayMs: number): void {
    this.#timer?.dispose();
    this.#timer = this.#clock.schedule(delayMs, () => this.#giveUp());
  }

  /** What was begun is no message. */
  #giveUp(): void {
    const open = this.#open;
    if (!open) return;
    this.#end();
    const whole = open.lines.join('\n');
    this.#tell(whole, whole.length > MAX_AT_ONCE ? readCutOff(whole) : readMessages(whole));
  }

  #end(): void {
    this.#open = undefined;
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  #tell(line: string, read: ReadText): void {
    if (read.kind === 'unreadable') this.#sink.onUnreadable(read.id, read.reason, line);
    else this.#sink.onNoise(line);
  }

  /** The input has ended. */
  dispose(): void {
    this.#isDisposed = true;
    this.#giveUp();
  }
}

/** Follows a text of JSON: whether it is in the middle of a value. */
class Nesting {
  #depth = 0;
  #inString = false;

  get isOpen(): boolean {
    return this.#depth > 0 || this.#inString;
  }

  push(text: string): void {
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (this.#inString) {
        if (code === 0x5c) at += 1;
        else if (code === 0x22) this.#inString = false;
      } else if (code === 0x22) this.#inString = true;
      else if (code === 0x7b || code === 0x5b) this.#depth += 1;
      else if (code === 0x7d || code === 0x5d) this.#depth -= 1;
    }
  }
}
