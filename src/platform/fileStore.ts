import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Sequencer } from '../base/async.ts';
import { isRecord, sha256 } from '../base/json/json.ts';
import type { Logger } from '../base/log.ts';
import { inSlices } from '../base/timeSlices.ts';
import { messageOf } from '../base/errors.ts';
import type { ListedStore } from '../base/keyValueStore.ts';

const ENDING = '.json';

/**
 * A store with one file per key, for large values, which only the user can read: the editor writes its whole store of an extension at each change of a
 * key, and reads it before the extension is activated.
 */
export class FileStore implements ListedStore {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #values = new Map<string, unknown>();
  readonly #writing = new Sequencer();
  #loading: Promise<void> | undefined;

  constructor(folder: string, log: Logger) {
    this.#folder = folder;
    this.#log = log;
  }

  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  get(key: string): unknown {
    return this.#values.get(key);
  }

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  /** `get` returns the new value at once. Resolves when it is written; if that fails, the value lasts as long as this object. */
  set(key: string, value: unknown): Promise<void> {
    if (value === undefined && !this.#values.delete(key)) return this.flush();
    if (value !== undefined) this.#values.set(key, value);
    return this.#writing.run(() => this.#write(key));
  }

  flush(): Promise<void> {
    return this.#writing.run(async () => undefined);
  }

  async #load(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    const files = names.filter((name) => name.endsWith(ENDING));
    await Promise.all(files.map((name) => this.#read(join(this.#folder, name))));
  }

  /** A file that can't be read is ignored; its key is written again. */
  async #read(file: string): Promise<void> {
    try {
      const text = await readFile(file, 'utf8');
      const { parseSteps } = await import('../base/json/jsonSteps.ts');
      const entry = await inSlices(parseSteps(text));
      if (isRecord(entry) && typeof entry['key'] === 'string') this.#values.set(entry['key'], entry['value']);
    } catch (error) {
      this.#log.log('warning', `${file} counts as empty: ${messageOf(error)}`);
    }
  }

  /** Atomic: if the window closes meanwhile, the file doesn't change. */
  async #write(key: string): Promise<void> {
    const file = join(this.#folder, `${sha256(key).slice(0, 32)}${ENDING}`);
    try {
      if (!this.#values.has(key)) return await rm(file, { force: true });
      const { jsonPieces } = await import('../base/json/jsonPieces.ts');
      const draft = `${file}.${process.pid}.tmp`;
      const write = (): Promise<void> =>
        writeFile(draft, jsonPieces({ key, value: this.#values.get(key) }), { mode: 0o600 });
      // Mostly the folder is there: looking each time takes as long as writing.
      await write().catch(async (error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        await mkdir(this.#folder, { recursive: true, mode: 0o700 });
        await write();
      });
      await rename(draft, file);
    } catch (error) {
      this.#log.log('warning', `${file} could not be written: ${messageOf(error)}`);
    }
  }
}
