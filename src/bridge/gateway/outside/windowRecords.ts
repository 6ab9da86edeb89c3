import { readFileSync, rmSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Disposable } from '../../../base/disposable.ts';
import { PORTABLE_FOLDER, PORTABLE_SCRIPT } from '../../../config/clients/portableEntry.ts';
import { installScript } from './outsideCommand.ts';
import { removeOldDrafts, replaceFile } from '../../../base/files/replaceFile.ts';

/** What a window tells those who look for it by a folder. */
export interface WindowRecord {
  readonly socket: string;
  readonly pid: number;
  readonly folders: readonly string[];
  /** What the editor calls itself as a client: it gets no tools, since its agent has them. */
  readonly editor: string;
}

/** Where windows are found by their folders: in the user's home, where a portable entry looks on any machine. */
export class PortableWindow implements Disposable {
  readonly #folder: string;
  readonly #record: string;
  #socket: string | undefined;

  /** @param key tells the window from others */
  constructor(home: string, key: string) {
    this.#folder = path.join(home, PORTABLE_FOLDER);
    this.#record = path.join(this.#folder, 'windows', `${key}.json`);
  }

  /** Whether anybody on this machine has added a portable entry: the folder is there, and nobody else's. */
  async isWanted(): Promise<boolean> {
    const found = await lstat(this.#folder).catch(() => undefined);
    if (!found?.isDirectory()) return false;
    return process.platform === 'win32' || (found.uid === process.getuid?.() && (found.mode & 0o022) === 0);
  }

  /**
   * Says where the window is, and puts the script there.
   * @param shipped the script as it comes with the extension
   * @throws Error where the folder is another user's, or no folder
   */
  async publish(record: WindowRecord, shipped: string): Promise<void> {
    const records = path.dirname(this.#record);
    await mkdir(records, { recursive: true, mode: 0o700 });
    if (!(await this.isWanted())) throw new Error(`${this.#folder} isn’t a folder that only you can write.`);
    if (process.platform !== 'win32') await chmod(records, 0o700);
    await installScript(shipped, path.join(this.#folder, PORTABLE_SCRIPT));
    await removeOldDrafts(records, await readdir(records));
    await replaceFile(this.#record, JSON.stringify(record));
    this.#socket = record.socket;
  }

  /** Another window may have taken over. */
  dispose(): void {
    if (this.#socket === undefined) return;
    try {
      const { socket } = JSON.parse(readFileSync(this.#record, 'utf8')) as Partial<WindowRecord>;
      if (socket === this.#socket) rmSync(this.#record, { force: true });
    } catch {
      // It is gone.
    }
  }
}
