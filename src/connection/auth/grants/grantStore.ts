import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { deferred, Sequencer } from '../../../base/async.ts';
import type { Clock } from '../../../base/clock.ts';
import { DisposableStore } from '../../../base/disposable.ts';
import { readRegularFile } from '../../../base/files/regularFile.ts';
import { replaceFile } from '../../../base/files/replaceFile.ts';
import { sha256 } from '../../../base/json/json.ts';
import { messageOf, SwitchboardError } from '../../../base/errors.ts';
import { ConnectError } from '../../connectionFailure.ts';
import { FileLockError, withFileLock } from '../../process/fileLock.ts';
import { shownReason } from '../requests/authErrors.ts';
import type { SecretPort } from '../signInPorts.ts';
import { type Kept, KEPT_VERSION, NOTHING_KEPT, parseKept, type ReadKept } from './accountGrants.ts';
import { say } from '../../../base/say.ts';

/** How long what another window wrote may take to arrive in this one. */
const ARRIVAL_MS = 2000;
/** How long one window may keep the others waiting; then its work is told to end. */
const WORK_LIMIT_MS = 30_000;
const LOCK_WAIT_MS = 45_000;
/** A generation, or the machine's id. */
const MAX_BYTES = 1024;

export interface GrantStoreOptions {
  readonly secrets: SecretPort;
  /** Shared by the windows of this machine; without it, there is only this one. */
  readonly folder: string | undefined;
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** Told once of each secret that a later version of this extension wrote. */
  readonly onNewer?: () => void;
}

/** What is kept of a server while nobody else can change it. */
export interface Held {
  readonly kept: Kept;
  readonly signal: AbortSignal;
  /** Resolves when it is written; then `kept` of later holders has it, in every window. */
  readonly save: (kept: Kept) => Promise<void>;
}

/**
 * Keeps grants and registrations as secrets, one for each server. Windows of other machines share the secrets but can't
 * share a lock, so each machine has its own: what is refreshed in one place is never revoked by the other.
 */
export class GrantStore {
  readonly #options: GrantStoreOptions;
  /** By the secret's name: what is in the place of what a later version kept, which stays as it is. */
  readonly #held = new Map<string, Kept>();
  readonly #sequences = new Map<string, Sequencer>();
  #machine: Promise<string> | undefined;

  constructor(options: GrantStoreOptions) {
    this.#options = options;
  }

  /** The secret's name. @param binding what decides who gets the tokens of a server */
  async keyOf(binding: string): Promise<string> {
    this.#machine ??= machineId(this.#options).catch((error: unknown) => {
      this.#machine = undefined;
      throw error;
    });
    return `sign-in:${sha256(`${await this.#machine}:${binding}`)}`;
  }

  /** What is kept at this moment, in whichever window it was written last as far as this one knows. */
  async read(binding: string): Promise<Kept> {
    return this.#read(await this.keyOf(binding));
  }

  /**
   * Runs `work` while no window changes what is kept of the server. It sees what was written last.
   * @throws ConnectError `unreachable` where another window doesn't let go
   */
  async exclusively<T>(binding: string, work: (held: Held) => Promise<T>): Promise<T> {
    const { folder, clock, platform } = this.#options;
    const key = await this.keyOf(binding);
    const name = sha256(key).slice(0, 32);
    const file = folder === undefined ? undefined : join(folder, `${name}.lock`);
    const limits = { clock, platform, waitMs: LOCK_WAIT_MS, limitMs: WORK_LIMIT_MS };
    const sequence = this.#sequences.get(name) ?? new Sequencer();
    this.#sequences.set(name, sequence);
    return sequence.run(async () => {
      const done = await withFileLock(file, limits, async (signal) => {
        const kept = await this.#latest(key, name);
        return work({ kept, signal, save: (next) => this.#write(key, name, next) });
      }).catch(refuseUnlocked);
      if (done) return done.value;
      throw busy();
    });
  }

  /** Adds a change to what is kept. */
  change(binding: string, change: (kept: Kept) => Kept): Promise<Kept> {
    return this.exclusively(binding, async ({ kept, save }) => {
      const next = change(kept);
      if (next !== kept) await save(next);
      return next;
    });
  }

  async #latest(key: string, name: string): Promise<Kept> {
    const { secrets, folder, clock } = this.#options;
    const read = (): Promise<ReadKept> => this.#read(key);
    const expected = folder === undefined ? undefined : await readText(join(folder, name));
    const kept = await read();
    if (!expected || kept.generation === expected) return kept;
    const arrived = deferred<void>();
    const waiting = new DisposableStore();
    waiting.add(clock.schedule(ARRIVAL_MS, () => arrived.resolve()));
    waiting.add(
      secrets.onDidChange((changed) => {
        if (changed === key) void read().then(({ generation }) => generation === expected && arrived.resolve());
      }),
    );
    // It may have arrived before the listener was there.
    if ((await read()).generation !== expected) await arrived.promise;
    waiting.dispose();
    return read();
  }

  async #read(key: string): Promise<ReadKept> {
    const kept = parseKept(await this.#options.secrets.get(key));
    if (!kept.isNewer) return kept;
    if (!this.#held.has(key)) this.#options.onNewer?.();
    const held = this.#held.get(key) ?? NOTHING_KEPT;
    this.#held.set(key, held);
    return { ...kept, ...held };
  }

  async #write(key: string, name: string, kept: Kept): Promise<void> {
    if ((await this.#read(key)).isNewer) return void this.#held.set(key, withoutGeneration(kept));
    const { secrets, folder } = this.#options;
    const generation = randomUUID();
    const isEmpty = kept.grants.length === 0 && Object.keys(kept.registrations).length === 0;
    const text = JSON.stringify({ version: KEPT_VERSION, generation, ...withoutGeneration(kept) });
    await (isEmpty ? secrets.delete(key) : secrets.set(key, text)).catch((cause: unknown) => {
      throw new SwitchboardError('internal', say`The sign-in can't be kept: ${shownReason(messageOf(cause))}`, {
        remedy: say`Unlock or set up the keyring of this computer, where the editor keeps secrets, and sign in again.`,
        cause,
      });
    });
    if (folder === undefined) return;
    // Without it, other windows may take what they know already for the latest, for a moment.
    const mark = mkdir(folder, { recursive: true }).then(() =>
      replaceFile(join(folder, name), isEmpty ? '' : generation),
    );
    await mark.catch(() => undefined);
  }
}

function withoutGeneration({ grants, registrations }: Kept): Kept {
  return { ...NOTHING_KEPT, grants, registrations };
}

/** Tells this machine's secrets from those of the machines that the editor is connected to. */
async function machineId({ folder, clock, platform }: GrantStoreOptions): Promise<string> {
  if (folder === undefined) return '';
  const file = join(folder, 'machine');
  const found = await readText(file);
  if (found) return found;
  // Another window may have made the file and not yet written it.
  const limits = { clock, platform, waitMs: LOCK_WAIT_MS };
  const made = await withFileLock(`${file}.lock`, limits, () => makeId(file)).catch(refuseUnlocked);
  if (made) return made.value;
  throw busy();
}

async function makeId(file: string): Promise<string> {
  try {
    // What is there and can't be read isn't replaced: what was kept under it would be lost.
    const found = await readRegularFile(file, { maxBytes: MAX_BYTES });
    if (found) return found;
    const id = randomUUID();
    await replaceFile(file, id);
    return id;
  } catch (error) {
    throw cannotKeep(`${file}: ${messageOf(error)}`, error);
  }
}

function refuseUnlocked(error: unknown): never {
  throw error instanceof FileLockError ? cannotKeep(messageOf(error), error) : error;
}

function cannotKeep(why: string, cause: unknown): ConnectError {
  return new ConnectError('unreachable', say`The sign-in can't be kept: ${why}`, {
    remedy: say`Try again.`,
    cause,
  });
}

function busy(): ConnectError {
  return new ConnectError('unreachable', say`Another window is busy with this sign-in.`, { remedy: say`Try again.` });
}

/** Nothing where there is none, or no file. */
async function readText(file: string): Promise<string> {
  return (await readRegularFile(file, { maxBytes: MAX_BYTES }).catch(() => undefined)) ?? '';
}
