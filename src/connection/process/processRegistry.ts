import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { delay } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { readRegularFile } from '../../base/files/regularFile.ts';
import { draftOf, removeOldDrafts } from '../../base/files/replaceFile.ts';
import { isRecord } from '../../base/json/json.ts';
import { isNewer } from '../../base/versionedState.ts';
import { identify, isRunning, type ProcessIdentity } from './processIdentity.ts';
import { readProcessTable } from './processTable.ts';
import { signalAll, findEscaped } from './escapedProcesses.ts';
import { endTree } from './killProcessTree.ts';

const MAX_BYTES = 1024 * 1024;
/** Of the form of the files. */
const VERSION = 1;

/** One file: an owner and its servers. */
interface RegistryEntry {
  readonly owner: ProcessIdentity;
  /** The leaders of the servers' process groups. */
  readonly processes: readonly ProcessIdentity[];
  readonly hostMark?: string;
}

/** Between SIGTERM and SIGKILL. */
const AFTER_TERM_MS = 500;

/**
 * Records which servers run and which process owns them, one file per owner, so that the next start can kill what a crash
 * left: by pid *and* start time, and only where the owner is gone, so that another window's servers go on.
 */
export class ProcessRegistry {
  readonly #folder: string;
  readonly #platform: NodeJS.Platform;
  readonly #clock: Clock;
  readonly #hostMark: string;
  readonly #running = new Map<number, ProcessIdentity>();
  #owner: ProcessIdentity | undefined;

  /** @param hostMark what the marks of all servers of this host begin with, up to a dot */
  constructor(folder: string, platform: NodeJS.Platform, clock: Clock, hostMark: string) {
    this.#folder = folder;
    this.#platform = platform;
    this.#clock = clock;
    this.#hostMark = hostMark;
  }

  async add(pid: number): Promise<void> {
    this.#owner ??= await identify(process.pid, this.#platform);
    const identity = await identify(pid, this.#platform);
    if (!identity) return;
    this.#running.set(pid, identity);
    this.#write();
  }

  remove(pid: number): void {
    if (this.#running.delete(pid)) this.#write();
  }

  /** Kills what owners that are gone left behind. */
  async sweep(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    const records = names.filter((name) => name.endsWith('.json'));
    await Promise.all([removeOldDrafts(this.#folder, names), ...records.map((name) => this.#sweepFile(name))]);
  }

  async #sweepFile(name: string): Promise<void> {
    const file = join(this.#folder, name);
    const text = await readRegularFile(file, { maxBytes: MAX_BYTES }).catch(() => undefined);
    // What can't be read now (too many files are open) may be another window's that runs.
    if (text === undefined) return;
    const entry = parseEntry(text);
    // That version ends what its windows left.
    if (entry === 'newer') return;
    if (entry && (await isRunning(entry.owner, this.#platform))) return;
    if (entry) await this.#endAll(entry);
    // A folder in its place stays.
    await rm(file, { force: true }).catch(() => undefined);
  }

  async #endAll(entry: RegistryEntry): Promise<void> {
    if (!(await this.#signal(entry, 'terminate'))) return;
    await delay(AFTER_TERM_MS, this.#clock);
    await this.#signal(entry, 'kill');
  }

  /** Returns whether anything was left. */
  async #signal({ processes, hostMark }: RegistryEntry, how: 'terminate' | 'kill'): Promise<boolean> {
    const rows = hostMark === undefined ? [] : await readProcessTable(this.#platform, 'all');
    const escaped = findEscaped(rows, { isMark: (mark) => mark.startsWith(`${hostMark}.`) });
    const running = await Promise.all(
      processes.map(async (identity) => ((await isRunning(identity, this.#platform)) ? identity : undefined)),
    );
    const leaders = running.filter((identity) => identity !== undefined);
    await Promise.all(leaders.map(({ pid }) => endTree(this.#platform, pid, how)));
    signalAll(escaped, how === 'terminate' ? 'SIGTERM' : 'SIGKILL');
    return leaders.length + escaped.length > 0;
  }

  #write(): void {
    if (!this.#owner) return;
    const file = join(this.#folder, `${this.#owner.pid}-${this.#owner.start.replaceAll(/\W/g, '')}.json`);
    try {
      if (this.#running.size === 0) return rmSync(file, { force: true });
      const entry: RegistryEntry = {
        owner: this.#owner,
        hostMark: this.#hostMark,
        processes: [...this.#running.values()],
      };
      mkdirSync(this.#folder, { recursive: true });
      // Another window must not read half of it, which it would take for a broken one.
      const [draft, text] = [draftOf(file), JSON.stringify({ version: VERSION, ...entry })];
      writeFileSync(draft, text);
      try {
        renameSync(draft, file);
      } catch {
        // On Windows, another window may be reading it.
        writeFileSync(file, text);
        rmSync(draft, { force: true });
      }
    } catch {
      // Servers run without a record where the disk is full or read-only.
    }
  }
}

function parseEntry(text: string): RegistryEntry | 'newer' | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (isNewer(value, VERSION)) return 'newer';
    if (!isRecord(value) || !isIdentity(value['owner']) || !Array.isArray(value['processes'])) return undefined;
    const { owner, processes, hostMark } = value;
    return {
      owner,
      processes: processes.filter(isIdentity),
      ...(typeof hostMark === 'string' && hostMark.length > 10 ? { hostMark } : {}),
    };
  } catch {
    return undefined;
  }
}

function isIdentity(value: unknown): value is ProcessIdentity {
  // A pid of 0 or 1 would be everything.
  return (
    isRecord(value) && Number.isInteger(value['pid']) && Number(value['pid']) > 1 && typeof value['start'] === 'string'
  );
}
