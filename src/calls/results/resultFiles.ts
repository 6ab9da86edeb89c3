import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { SwitchboardError } from '../../base/errors.ts';
import type { UnshownFile } from '../../base/data/dataForModels.ts';

/** How long a result is kept, in milliseconds. */
export const KEPT_MS = 7 * 24 * 3600 * 1000;
/** How a stored result is named to a model. */
export const RESULT_SCHEME = 'switchboard-result:';
const NAME = /^[0-9a-f]{24}$/;

/** How texts are stored: so that a range's place is known without reading what is before it, and in half the bytes where it can be. */
interface Form {
  /** The name's ending. */
  readonly ending: string;
  readonly encoding: BufferEncoding;
  /** How long a UTF-16 unit is, in bytes. */
  readonly unitBytes: number;
}
const LATIN: Form = { ending: 'latin1', encoding: 'latin1', unitBytes: 1 };
const ANY: Form = { ending: 'utf16', encoding: 'utf16le', unitBytes: 2 };
const NOT_LATIN = /[^\0-\xff]/;
/** What is too old is looked for once in an hour at most. */
const SWEEP_MS = 3600 * 1000;

/** A part of a stored result. Places count in UTF-16 units. */
export interface ResultRange {
  readonly text: string;
  readonly offset: number;
  readonly total: number;
}

/** Keeps results that are too large for a model, in a folder of the extension's own, for seven days. */
export class ResultFiles {
  readonly #folder: string;
  readonly #now: () => number;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
  }

  /** Stores a text and gives its URI. What is older than seven days is removed, which nobody waits for. */
  async store(text: string): Promise<string> {
    const name = randomBytes(12).toString('hex');
    const form = NOT_LATIN.test(text) ? ANY : LATIN;
    await this.#write(this.#file(name, form), Buffer.from(text, form.encoding));
    return `${RESULT_SCHEME}${name}`;
  }

  /** Stores the bytes of an image or the like and gives the file's address. */
  async storeFile({ data, extension }: UnshownFile): Promise<string> {
    const file = path.join(this.#folder, `${randomBytes(12).toString('hex')}.${extension}`);
    await this.#write(file, data);
    return pathToFileURL(file).href;
  }

  async #write(file: string, data: Uint8Array): Promise<void> {
    const write = (): Promise<void> => fs.writeFile(file, data, { mode: 0o600 });
    await write().catch(async (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await fs.mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await write();
    });
    if (this.#now() - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = this.#now();
    void this.sweep();
  }

  /**
   * A range of a stored result.
   * @throws SwitchboardError `call-failed` where there is no such result (any more)
   */
  async read(uri: string, offset: number, length: number): Promise<ResultRange> {
    const name = uri.slice(RESULT_SCHEME.length);
    if (!uri.startsWith(RESULT_SCHEME) || !NAME.test(name)) throw gone(uri);
    const { handle, form } = await this.#open(name, LATIN)
      .catch(() => this.#open(name, ANY))
      .catch((error: unknown) => {
        throw gone(uri, error);
      });
    const { encoding, unitBytes } = form;
    try {
      const total = Math.floor((await handle.stat()).size / unitBytes);
      const from = Math.min(Math.max(0, Math.floor(offset)), total);
      const units = Math.min(Math.max(1, Math.floor(length)), total - from);
      const bytes = Buffer.alloc(units * unitBytes);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, from * unitBytes);
      return { text: bytes.toString(encoding, 0, bytesRead), offset: from, total };
    } finally {
      await handle.close();
    }
  }

  async #open(name: string, form: Form): Promise<{ readonly handle: fs.FileHandle; readonly form: Form }> {
    return { handle: await fs.open(this.#file(name, form)), form };
  }

  /** Removes what is older than seven days. Never fails. */
  async sweep(): Promise<void> {
    const names = await fs.readdir(this.#folder).catch(() => []);
    for (const name of names.filter((each) => NAME.test(path.parse(each).name))) {
      const file = path.join(this.#folder, name);
      const stat = await fs.stat(file).catch(() => undefined);
      if (stat && this.#now() - stat.mtimeMs > KEPT_MS) await fs.rm(file, { force: true }).catch(() => undefined);
    }
  }

  #file(name: string, { ending }: Form): string {
    return path.join(this.#folder, `${name}.${ending}`);
  }
}

function gone(uri: string, cause?: unknown): SwitchboardError {
  return new SwitchboardError('call-failed', `Stored result "${uri.slice(0, 100)}" not found.`, {
    remedy: 'Results are kept for seven days. Call the tool again.',
    ...(cause === undefined ? {} : { cause }),
  });
}
