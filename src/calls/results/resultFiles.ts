import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { SwitchboardError } from '../../base/errors.ts';
import type { UnshownFile } from '../../base/data/shownData.ts';

/** How long a result is kept, in milliseconds. */
export const KEPT_MS = 7 * 24 * 3600 * 1000;
/** How a stored result is named to a model. */
export const RESULT_SCHEME = 'switchboard-result:';
const NAME = /^[0-9a-f]{24}$/;

/** Texts are stored in UTF-16, in which a range's place is known without reading what is before it. */
const ENCODING = 'utf16le';
const UNIT_BYTES = 2;
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
    await this.#write(this.#file(name), Buffer.from(text, ENCODING));
    return `${RESULT_SCHEME}${name}`;
  }

  /** Stores the bytes of an image or the like and gives the file's address. */
  async storeFile({ data, extension }: UnshownFile): Promise<string> {
    const file = path.join(this.#folder, `${randomBytes(12).toString('hex')}.${extension}`);
    await this.#write(file, data);
    return pathToFileURL(file).href;
  }

  async #write(file: string, data: Uint8Array): Promise<void> {
    await fs.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await fs.writeFile(file, data, { mode: 0o600 });
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
    const handle = await fs.open(this.#file(name)).catch((error: unknown) => {
      throw gone(uri, error);
    });
    try {
      const total = Math.floor((await handle.stat()).size / UNIT_BYTES);
      const from = Math.min(Math.max(0, Math.floor(offset)), total);
      const units = Math.min(Math.max(1, Math.floor(length)), total - from);
      const bytes = Buffer.alloc(units * UNIT_BYTES);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, from * UNIT_BYTES);
      return { text: bytes.toString(ENCODING, 0, bytesRead), offset: from, total };
    } finally {
      await handle.close();
    }
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

  #file(name: string): string {
    return path.join(this.#folder, `${name}.utf16`);
  }
}

function gone(uri: string, cause?: unknown): SwitchboardError {
  return new SwitchboardError('call-failed', `Stored result "${uri.slice(0, 100)}" not found.`, {
    remedy: 'Results are kept for seven days. Call the tool again.',
    ...(cause === undefined ? {} : { cause }),
  });
}
