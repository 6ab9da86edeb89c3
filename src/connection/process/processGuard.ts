import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { ProcessRegistry } from './processRegistry.ts';
import { Reaper } from './killOnHostExit.ts';

/** Makes sure that no server outlives the extension host: the reaper acts when the host dies, the registry at the next start. */
export class ProcessGuard implements Disposable {
  /** The marks of all servers of this host begin with it, followed by a dot and a number. */
  readonly #hostMark = randomUUID();
  readonly #reaper: Reaper;
  readonly #registry: ProcessRegistry | undefined;
  #swept: Promise<void> | undefined;
  #marks = 0;

  /** @param stateDir where the registry is kept; without it there is only the reaper */
  constructor(platform: NodeJS.Platform, clock: Clock, stateDir: string | undefined) {
    this.#reaper = new Reaper(platform, this.#hostMark);
    this.#registry =
      stateDir === undefined
        ? undefined
        : new ProcessRegistry(join(stateDir, 'processes'), platform, clock, this.#hostMark);
  }

  /** Kills leftovers of a crash, once; their locks and ports are free when this resolves. */
  sweep(): Promise<void> {
    this.#swept ??= this.#registry?.sweep() ?? Promise.resolve();
    return this.#swept;
  }

  /** The value of `MARK_VARIABLE` for the next server. */
  newMark(): string {
    return `${this.#hostMark}.${++this.#marks}`;
  }

  started(pid: number): void {
    this.#reaper.watch(pid);
    void this.#registry?.add(pid);
  }

  ended(pid: number): void {
    this.#reaper.release(pid);
    this.#registry?.remove(pid);
  }

  dispose(): void {
    this.#reaper.dispose();
  }
}
