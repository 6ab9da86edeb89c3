import type { ListedStore } from '../../base/keyValueStore.ts';
import { isKeptTask, type KeptTask } from './keptTask.ts';

/** What begins the key of each. */
const PREFIX = 'task/';
/** How many run at a time, and how many ended ones are kept, of how many characters, and for how long (milliseconds). */
export const TASK_LIMITS = {
  running: 512,
  ended: 512,
  characters: 32 * 1024 * 1024,
  keptMs: 7 * 24 * 3600_000,
} as const;

/** The tasks of a workspace, a file each: written before anybody is told of them, so that a crash loses none. */
export class TaskStore {
  readonly #store: ListedStore;
  readonly #tasks = new Map<string, KeptTask>();
  /** How large the ended ones are, in characters. */
  readonly #sizes = new Map<string, number>();

  constructor(store: ListedStore) {
    this.#store = store;
  }

  /** Reads what is kept. What can't be a task is removed. */
  async open(): Promise<void> {
    await this.#store.load();
    for (const key of this.#store.keys().filter((each) => each.startsWith(PREFIX))) {
      const task = this.#store.get(key);
      if (isKeptTask(task) && key === PREFIX + task.handle) this.#note(task);
      else if (task !== undefined) void this.#store.set(key, undefined);
    }
  }

  get all(): readonly KeptTask[] {
    return [...this.#tasks.values()];
  }

  get(handle: string): KeptTask | undefined {
    return this.#tasks.get(handle);
  }

  /** Whether one more can run. */
  get hasRoom(): boolean {
    return this.all.filter(({ end }) => !end).length < TASK_LIMITS.running;
  }

  /** Keeps a task as it is now. Resolves when it is written. */
  put(task: KeptTask): Promise<void> {
    this.#note(task);
    return this.#store.set(PREFIX + task.handle, task);
  }

  remove(handle: string): Promise<void> {
    this.#tasks.delete(handle);
    this.#sizes.delete(handle);
    return this.#store.set(PREFIX + handle, undefined);
  }

  /** Removes what is too old, and what there is no room for: those first that were given to their callers, the oldest first. */
  async sweep(now: number): Promise<void> {
    const ended = this.all
      .flatMap((task) => (task.end ? [{ task, at: task.end.at }] : []))
      .sort((a, b) => Number(isNew(a.task)) - Number(isNew(b.task)) || a.at - b.at);
    let count = ended.length;
    let characters = [...this.#sizes.values()].reduce((sum, size) => sum + size, 0);
    for (const { task, at } of ended) {
      const isTooMuch = count > TASK_LIMITS.ended || characters > TASK_LIMITS.characters;
      if (!isTooMuch && now - at <= TASK_LIMITS.keptMs) continue;
      count -= 1;
      characters -= this.#sizes.get(task.handle) ?? 0;
      await this.remove(task.handle);
    }
  }

  #note(task: KeptTask): void {
    this.#tasks.set(task.handle, task);
    if (task.end) this.#sizes.set(task.handle, JSON.stringify(task.end).length);
  }
}

function isNew({ deliveredAt }: KeptTask): boolean {
  return deliveredAt === undefined;
}
