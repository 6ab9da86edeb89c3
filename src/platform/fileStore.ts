import { constants } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Sequencer } from '../base/async.ts';
import { isRecord, sha256 } from '../base/json/json.ts';
import type { Logger } from '../base/log.ts';
import { inSlices } from '../base/timeSlices.ts';
import { messageOf } from '../base/errors.ts';
import type { ListedStore } from '../base/keyValueStore.ts';
import { isNewer } from '../base/versionedState.ts';

const ENDING = '.json';
/** Of the form of the files, `{ key, value }`; the first has no `version`. */
const VERSION = 1;

/**
 * A file of another user's is read by no window, so that what is kept in its place is better than nothing. Whatever else fails may pass: too many
 * files are open, a disk is away, and on Windows another window is just replacing the file.
 */
function isForGood(error: unknown): boolean {
  return process.platform !== 'win32' && ['EACCES', 'EPERM'].includes(codeOf(error) ?? '');
}

/** A file as this store found or wrote it. */
interface Known {
  /** See `markOf`. */
  readonly mark: string | undefined;
  /** As long as it is this one, it is neither replaced nor removed. */
  readonly stays: boolean;
}

/**
 * A store with one file per key, for large values, which only the user can read: the editor writes its whole store of an extension at each change of a
 * key, and reads it before the extension is activated. Windows share the files: what stays is asked of what another one has written since.
 */
export class FileStore implements ListedStore {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #values = new Map<string, unknown>();
  readonly #known = new Map<string, Known>();
  /** Files whose values this store doesn't have, though they are there. */
  readonly #unreadable = new Set<string>();
  /** Of these, those that another window may read: they are neither replaced nor removed. */
  readonly #others = new Set<string>();
  #isFolderUnreadable = false;
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

  isUnreadable(key: string): boolean {
    if (this.#values.has(key)) return false;
    return this.#isFolderUnreadable || this.#unreadable.has(this.#fileOf(key));
  }

  /**
   * `get` returns the new value at once. Resolves when it is written; where that fails, or what another window wrote stays, the value lasts as long as
   * this object.
   */
  set(key: string, value: unknown, stays: (stored: unknown) => boolean = () => false): Promise<void> {
    const wasUnreadable = this.#unreadable.delete(this.#fileOf(key));
    if (value === undefined && !this.#values.delete(key) && !wasUnreadable) return this.flush();
    if (value !== undefined) this.#values.set(key, value);
    return this.#writing.run(() => this.#write(key, stays));
  }

  flush(): Promise<void> {
    return this.#writing.run(async () => undefined);
  }

  /** A file that can't be read is known to be there, no more. */
  async #load(): Promise<void> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      this.#isFolderUnreadable = codeOf(error) !== 'ENOENT';
      if (this.#isFolderUnreadable) this.#log.log('warning', `${this.#folder} can’t be read: ${messageOf(error)}`);
      return [];
    });
    if (names.some((name) => !name.endsWith(ENDING)))
      void import('../base/files/replaceFile.ts')
        .then(({ removeOldDrafts }) => removeOldDrafts(this.#folder, names))
        .catch(() => undefined);
    const files = names.filter((name) => name.endsWith(ENDING)).map((name) => join(this.#folder, name));
    await Promise.all(files.map((file) => this.#loadFile(file)));
  }

  async #loadFile(file: string): Promise<void> {
    this.#unreadable.add(file);
    try {
      const mark = await markOf(file);
      if (mark === undefined) {
        if (await isAbsent(file)) this.#unreadable.delete(file);
        else this.#log.log('warning', `${file} counts as empty: it is no file`);
        return;
      }
      this.#known.set(file, { mark, stays: false });
      const entry = await this.#read(file);
      const stays = isNewer(entry, VERSION);
      this.#known.set(file, { mark, stays });
      const { key, value } = entry ?? {};
      if (typeof key === 'string' && value !== undefined && !stays) {
        this.#values.set(key, value);
        this.#unreadable.delete(file);
      }
    } catch (error) {
      if (codeOf(error) === 'ENOENT') this.#unreadable.delete(file);
      else if (!isForGood(error)) this.#others.add(file);
      this.#log.log('warning', `${file} counts as empty: ${messageOf(error)}`);
    }
  }

  /**
   * What is in a file; `undefined` where it is damaged: its key is written again.
   * @throws where it can't be read
   */
  async #read(file: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    // Should a FIFO take its place now, it counts as damaged instead of never ending.
    const text = await readFile(file, { encoding: 'utf8', flag: constants.O_RDONLY | constants.O_NONBLOCK });
    const { parseSteps } = await import('../base/json/jsonSteps.ts');
    try {
      const entry = await inSlices(parseSteps(text));
      if (isNewer(entry, VERSION) && this.#known.get(file)?.stays !== true)
        this.#log.log('warning', `${file} was written by a later version of MCP Switchboard and stays as it is.`);
      return isRecord(entry) ? entry : undefined;
    } catch (error) {
      this.#log.log('warning', `${file} counts as empty: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** Atomic: if the window closes meanwhile, the file doesn't change. */
  async #write(key: string, stays: (stored: unknown) => boolean): Promise<void> {
    const file = this.#fileOf(key);
    try {
      // No draft is written for nothing.
      if ((this.#known.get(file)?.stays === true || this.#others.has(file)) && (await this.#isKept(file, stays)))
        return;
      if (!this.#values.has(key)) {
        if (await this.#isKept(file, stays)) return;
        await rm(file, { force: true });
        this.#known.delete(file);
        return;
      }
      const [{ jsonPieces }, { replaceFile }] = await Promise.all([
        import('../base/json/jsonPieces.ts'),
        import('../base/files/replaceFile.ts'),
      ]);
      const write = (): Promise<void> =>
        replaceFile(file, jsonPieces({ key, value: this.#values.get(key) }), async (draft) => {
          if (await this.#isKept(file, stays)) return false;
          this.#known.set(file, { mark: await markOf(draft), stays: false });
          return true;
        });
      // Mostly the folder is there: looking each time takes as long as writing.
      await write().catch(async (error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw error;
        await mkdir(this.#folder, { recursive: true, mode: 0o700 });
        await write();
      });
    } catch (error) {
      this.#log.log('warning', `${file} could not be written: ${messageOf(error)}`);
    }
  }

  /** Whether what is in the file now stays. Only what another window wrote is read, and once. */
  async #isKept(file: string, stays: (stored: unknown) => boolean): Promise<boolean> {
    const mark = await markOf(file);
    if (mark === undefined) return false;
    if (this.#others.has(file)) return true;
    const known = this.#known.get(file);
    if (mark === known?.mark) return known.stays;
    if (known === undefined && this.#isFolderUnreadable) return true;
    const entry = await this.#read(file);
    const isKept = entry !== undefined && (isNewer(entry, VERSION) || stays(entry['value']));
    this.#known.set(file, { mark, stays: isKept });
    return isKept;
  }

  #fileOf(key: string): string {
    return join(this.#folder, `${sha256(key).slice(0, 32)}${ENDING}`);
  }
}

/**
 * Which file it is, as another one has another: `undefined` where there is none, or a folder, a link or a FIFO.
 * @throws where nobody can tell
 */
async function markOf(file: string): Promise<string | undefined> {
  const stats = await lstat(file, { bigint: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  return stats?.isFile() ? `${stats.ino} ${stats.mtimeNs} ${stats.size}` : undefined;
}

/** Another window may remove what was listed a moment ago. */
function isAbsent(file: string): Promise<boolean> {
  return lstat(file).then(
    () => false,
    (error: unknown) => codeOf(error) === 'ENOENT',
  );
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
