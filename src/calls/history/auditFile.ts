// Loaded with the first call that is written down.
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { Sequencer } from '../../base/async.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { HistoryEntry } from './callHistory.ts';

const MAX_BYTES = 5 * 1024 * 1024;
const KEPT = 5;

/** Writes every call as a line of JSON, and begins a new file when one has 5 MiB; five old ones are kept. */
export class AuditFile {
  readonly #file: () => string | undefined;
  readonly #onError: (error: unknown) => void;
  readonly #maxBytes: number;
  readonly #writes = new Sequencer();

  /** @param file where to; asked anew for each line, `undefined`: nowhere */
  constructor(file: () => string | undefined, onError: (error: unknown) => void, maxBytes = MAX_BYTES) {
    this.#file = file;
    this.#onError = onError;
    this.#maxBytes = maxBytes;
  }

  write(entry: HistoryEntry): void {
    const file = this.#file();
    if (file === undefined) return;
    this.#writes.run(() => this.#append(file, `${JSON.stringify(entry)}\n`)).catch(this.#onError);
  }

  /** Resolves when what was given so far is written. */
  async settled(): Promise<void> {
    await this.#writes.run(async () => undefined);
  }

  async #append(file: string, line: string): Promise<void> {
    await fs.mkdir(path.dirname(file), { recursive: true });
    const size = (await fs.stat(file).catch(() => undefined))?.size ?? 0;
    if (size > 0 && size + Buffer.byteLength(line) > this.#maxBytes) await this.#rotate(file);
    await fs.appendFile(file, line, { mode: 0o600 });
  }

  async #rotate(file: string): Promise<void> {
    for (let number = KEPT - 1; number >= 0; number--) {
      const from = number === 0 ? file : `${file}.${number}`;
      await fs.rename(from, `${file}.${number + 1}`).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    }
  }
}

/** The audit file of a window; what can't be written is logged. */
export function openAuditFile(file: () => string | undefined, log: Logger): AuditFile {
  return new AuditFile(file, (error) => log.log('warning', `The audit file could not be written: ${messageOf(error)}`));
}
