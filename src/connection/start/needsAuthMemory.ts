import { Sequencer } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { readRegularFile } from '../../base/files/regularFile.ts';
import { replaceFile } from '../../base/files/replaceFile.ts';
import { isRecord } from '../../base/json/json.ts';
import { isNewer } from '../../base/versionedState.ts';
import { withFileLock } from '../process/fileLock.ts';

const LOCK_WAIT_MS = 1000;
const MAX_BYTES = 4 * 1024 * 1024;
/** Of the form of the file. */
const VERSION = 1;

/** Remembers in a file, shared by all windows, which servers lately required a sign-in. One writer at a time. */
export class NeedsAuthMemory {
  readonly #file: string;
  readonly #clock: Clock;
  readonly #platform: NodeJS.Platform;
  readonly #rememberedMs: () => number;
  readonly #sequence = new Sequencer();

  /** @param rememberedMs how long, read on each use */
  constructor(file: string, clock: Clock, platform: NodeJS.Platform, rememberedMs: () => number) {
    this.#file = file;
    this.#clock = clock;
    this.#platform = platform;
    this.#rememberedMs = rememberedMs;
  }

  /** What the server said when it refused, where that is not long ago. */
  async recall(key: string): Promise<string | undefined> {
    const entry = (await this.#read())?.[key];
    return entry && this.#clock.now() - entry.at < this.#rememberedMs() ? entry.message : undefined;
  }

  note(key: string, message: string): Promise<void> {
    return this.#change((entries) => ({ ...entries, [key]: { at: this.#clock.now(), message } }));
  }

  async forget(key: string): Promise<void> {
    if ((await this.#read())?.[key]) await this.#change(({ [key]: _gone, ...rest }) => rest);
  }

  #change(change: (entries: Entries) => Entries): Promise<void> {
    return this.#sequence.run(async () => {
      // Where another window holds it for too long, or it can't be written, the change is lost, which costs one request.
      const options = { clock: this.#clock, platform: this.#platform, waitMs: LOCK_WAIT_MS };
      await withFileLock(`${this.#file}.lock`, options, async () => {
        const now = this.#clock.now();
        const known = await this.#read();
        // What a later version of this extension wrote stays, which costs one request, too.
        if (!known) return;
        const changed = Object.entries(change(known)).filter(([, { at }]) => now - at < this.#rememberedMs());
        const text = JSON.stringify({ version: VERSION, ...Object.fromEntries(changed) });
        await replaceFile(this.#file, text);
      }).catch(() => undefined);
    });
  }

  /** `undefined`: a later version wrote it. */
  async #read(): Promise<Entries | undefined> {
    try {
      const value: unknown = JSON.parse((await readRegularFile(this.#file, { maxBytes: MAX_BYTES })) ?? '{}');
      if (isNewer(value, VERSION)) return undefined;
      if (!isRecord(value)) return {};
      return Object.fromEntries(Object.entries(value).filter((pair): pair is [string, Entry] => isEntry(pair[1])));
    } catch {
      return {};
    }
  }
}

interface Entry {
  readonly at: number;
  readonly message: string;
}

type Entries = Readonly<Record<string, Entry>>;

function isEntry(value: unknown): value is Entry {
  return isRecord(value) && typeof value['at'] === 'number' && typeof value['message'] === 'string';
}
