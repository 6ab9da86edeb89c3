import { systemClock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';

/** What the history and the questions call the inspector. */
export const INSPECTOR = 'Inspector';
/** A request for just what the person picked there. */
export const BY_USER = { surface: 'editor', caller: INSPECTOR, isUsersAct: true } as const;

/** Something that the person had the inspector do, and what came of it. */
export interface InspectorRun<T> {
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly durationMs: number;
  readonly outcome: { readonly value: T } | { readonly error: string };
}

/** Runs one thing at a time for a tab, which can be cancelled, and keeps the last results. */
export class InspectorRuns<T> {
  readonly #kept: number;
  readonly #changed: () => void;
  #runs: readonly InspectorRun<T>[] = [];
  #count = 0;
  #running: AbortController | undefined;

  /** @param kept how many results @param changed there is something new to show */
  constructor(kept: number, changed: () => void) {
    this.#kept = kept;
    this.#changed = changed;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Oldest first. */
  get all(): readonly InspectorRun<T>[] {
    return this.#runs;
  }

  get last(): InspectorRun<T> | undefined {
    return this.#runs.at(-1);
  }

  cancel(): void {
    this.#running?.abort();
  }

  /** Ends what runs, and forgets all. */
  clear(): void {
    this.cancel();
    this.#running = undefined;
    this.#runs = [];
  }

  /** Does nothing while something runs. Never rejects: an error is a result, too. */
  async run(work: (signal: AbortSignal) => Promise<T>): Promise<void> {
    if (this.#running) return;
    const running = new AbortController();
    this.#running = running;
    this.#changed();
    const at = systemClock.now();
    let outcome: InspectorRun<T>['outcome'];
    try {
      outcome = { value: await work(running.signal) };
    } catch (error) {
      outcome = { error: messageOf(error) };
    }
    if (this.#running !== running) return;
    this.#running = undefined;
    const run = { number: (this.#count += 1), at, durationMs: systemClock.now() - at, outcome };
    this.#runs = [...this.#runs, run].slice(-this.#kept);
    this.#changed();
  }
}
