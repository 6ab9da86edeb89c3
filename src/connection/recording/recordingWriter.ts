import { rm, type FileHandle } from 'node:fs/promises';
import { inSlices, mapSteps, nextTurn } from '../../base/timeSlices.ts';
import type { Mask } from '../../base/text/secrets.ts';
import { EventMask } from './eventMask.ts';
import { maskRecording, openAnew } from './maskRecording.ts';
import { HeldSize } from './heldSize.ts';
import type { RecordedEvent } from './recordedEvent.ts';
import { headOf, MAX_HELD } from './recorder.ts';
import { eventLine, gapLine, headerLine, type RecordingHeader } from './recordingFormat.ts';

/** What a recording is written with. */
export interface RecordingOptions {
  readonly by: RecordingHeader['by'];
  readonly platform: string;
  /** The name of a server, by its id. */
  readonly nameOf: (server: string) => string;
  /** Masks the secrets of all servers. */
  readonly mask: Mask;
}

/** A recording gets no larger: then it ends. */
export const MAX_RECORDING_BYTES = 256 * 1024 * 1024;
/** What waits to be written takes no more in memory: what comes meanwhile is left out and counted. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
/** So much is written at once, in characters. */
const CHUNK_CHARS = 256 * 1024;
/** What is being written, beside the file that it becomes: secrets that are found late are still in it. */
const PART = '.part';

/** Writes events that were kept as a recording. @throws an error of the file system */
export async function saveRecording(
  file: string,
  events: readonly RecordedEvent[],
  options: RecordingOptions,
): Promise<void> {
  const mask = new EventMask(options.mask);
  await learnAll(mask, events);
  const handle = await openAnew(file);
  try {
    let chunk = headerLine(options.by, new Date(events[0]?.at ?? Date.now()), options.platform);
    for (const event of events) {
      chunk += eventLine(await inSlices(mask.masked(event)), options.nameOf);
      if (chunk.length < CHUNK_CHARS) continue;
      await handle.appendFile(chunk);
      chunk = '';
    }
    await handle.appendFile(chunk);
  } finally {
    await handle.close();
  }
}

/** What a later one says is a secret isn't written of an earlier one. Each is read for it: others run meanwhile. */
function learnAll(mask: EventMask, events: readonly RecordedEvent[]): Promise<unknown> {
  return inSlices(mapSteps(events, (event) => mask.learn(event), 1));
}

/**
 * A recording that is being written, to a file of its own with `.part` behind its name. What turns out to be a secret meanwhile is taken
 * out when it ends: only then is there a file of its name.
 */
export class RecordingWriter {
  readonly #file: string;
  readonly #options: RecordingOptions;
  readonly #mask: EventMask;
  readonly #maxBytes: number;
  readonly #size = new HeldSize();
  #handle: FileHandle | undefined;
  #waiting: { readonly event: RecordedEvent; readonly bytes: number }[] = [];
  #waitingBytes = 0;
  #left = 0;
  #leftOut = 0;
  #events = 0;
  #bytes = 0;
  #writing: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;
  #isOver = false;
  #error: unknown;

  /** Called once where it ended by itself: the disk refused, or it was full. */
  onEnd: (() => void) | undefined;

  private constructor(file: string, handle: FileHandle, options: RecordingOptions, maxBytes: number) {
    this.#file = file;
    this.#handle = handle;
    this.#options = options;
    this.#maxBytes = maxBytes;
    this.#mask = new EventMask(options.mask);
  }

  /** @throws an error of the file system */
  static async begin(
    file: string,
    options: RecordingOptions,
    maxBytes = MAX_RECORDING_BYTES,
  ): Promise<RecordingWriter> {
    await rm(file, { force: true });
    const handle = await openAnew(file + PART);
    const writer = new RecordingWriter(file, handle, options, maxBytes);
    await writer.#write(headerLine(options.by, new Date(), options.platform));
    return writer;
  }

  get file(): string {
    return this.#file;
  }

  get events(): number {
    return this.#events;
  }

  /** How many events were left out because there were too many at once. */
  get leftOut(): number {
    return this.#leftOut;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Why it ended by itself. */
  get end(): 'full' | { readonly error: unknown } | undefined {
    if (this.#error !== undefined) return { error: this.#error };
    return this.#bytes >= this.#maxBytes ? 'full' : undefined;
  }

  add(event: RecordedEvent): void {
    if (this.#isOver) return;
    const { what } = event;
    const isWhole = this.#size.of(what, MAX_HELD);
    const { heap } = this.#size;
    const isCut = what.kind === 'message' && !isWhole;
    const kept = isCut ? { ...event, what: { ...what, message: headOf(what.message), cut: true as const } } : event;
    const bytes = isCut ? 1024 : heap + 256;
    if (this.#waitingBytes + bytes > MAX_WAITING_BYTES) {
      this.#left += 1;
      this.#leftOut += 1;
      return;
    }
    this.#waiting.push({ event: kept, bytes });
    this.#waitingBytes += bytes;
    this.#writing ??= this.#drain();
  }

  /**
   * Writes what waits, and makes the file: without what turned out to be a secret meanwhile. What the disk took before it refused is in
   * it, too. Where the file can't be made, what was written stays behind. More than once is as good as once.
   * @throws an error of the file system
   */
  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop());
  }

  async #stop(): Promise<void> {
    while (this.#writing) await this.#writing;
    this.#isOver = true;
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
    const part = this.#file + PART;
    await maskRecording(part, this.#file, this.#mask.text);
    await rm(part, { force: true });
    if (this.#error !== undefined) throw this.#error;
  }

  async #drain(): Promise<void> {
    try {
      // Many come in one turn.
      await nextTurn();
      for (let next = this.#waiting; next.length > 0 && !this.#isOver; next = this.#waiting) {
        this.#waiting = [];
        await learnAll(
          this.#mask,
          next.map(({ event }) => event),
        );
        let chunk = '';
        for (const { event, bytes } of next) {
          chunk += eventLine(await inSlices(this.#mask.masked(event)), this.#options.nameOf);
          this.#events += 1;
          this.#waitingBytes -= bytes;
          if (chunk.length >= CHUNK_CHARS) {
            await this.#write(chunk);
            chunk = '';
          }
          if (this.#isOver) return;
        }
        const left = this.#left;
        this.#left = 0;
        await this.#write(chunk + (left > 0 ? gapLine(left, Date.now()) : ''));
      }
    } catch (error) {
      this.#error = error;
      this.#finish();
    } finally {
      // At once: an event that comes before this is in the loop, and one that comes later begins another.
      this.#writing = undefined;
    }
  }

  async #write(text: string): Promise<void> {
    await this.#handle?.appendFile(text);
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes >= this.#maxBytes) this.#finish();
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#waiting = [];
    this.onEnd?.();
  }
}
