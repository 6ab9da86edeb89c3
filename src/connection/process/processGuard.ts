import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { ProcessRegistry } from './processRegistry.ts';
import { Reaper } from './reaper.ts';

/** Sees to it that no server outlives its host: the reaper for a host that dies, the registry for a session that does. */
export class ProcessGuard implements Disposable {
  /** What everything that servers of this host start has in its environment, before a dot and a number. */
  readonly #hostMark = randomUUID();
  readonly #reaper: Reaper;
  readonly #registry: ProcessRegistry | undefined;
  #swept: Promise<void> | undefined;
  #marks = 0;

  /** @param stateDir where to write down what runs; without it only the reaper keeps watch */
  constructor(platform: NodeJS.Platform, clock: Clock, stateDir: string | undefined) {
    this.#reaper = new Reaper(platform, this.#hostMark);
    this.#registry =
      stateDir === undefined
        ? undefined
        : new ProcessRegistry(join(stateDir, 'processes'), platform, clock, this.#hostMark);
  }

  /** Ends leftovers, once. What they hold (a lock, a port) is free when this resolves. */
  sweep(): Promise<void> {
    this.#swept ??= this.#registry?.sweep() ?? Promise.resolve();
    return this.#swept;
  }

  /** What the next server and whatever it starts are known by; see `MARK_VARIABLE`. */
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
