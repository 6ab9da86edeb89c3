/** A small persistent key-value store of JSON values (the editor's Memento, a file, or memory in tests). */
export interface KeyValueStore {
  get(key: string): unknown;
  /**
   * `undefined` removes the key.
   * @param stays whether what is there stays, asked of what another window wrote since it was read, where windows share it
   */
  set(key: string, value: unknown, stays?: (stored: unknown) => boolean): Promise<void>;
  /** Whether `get` gives nothing although something is kept: it can't be read, or understood. Absent: never. */
  isUnreadable?(key: string): boolean;
}

/** A store that is read before it is asked, and written behind. */
export interface LoadedStore extends KeyValueStore {
  /** Idempotent, and never rejects. */
  load(): Promise<void>;
  /** Resolves when everything set so far was written. */
  flush(): Promise<void>;
}

/** A store that knows what it has. */
export interface ListedStore extends LoadedStore {
  /** Of the values that are there; none before it is loaded. */
  keys(): readonly string[];
}

/** A store that lasts as long as the object. */
export class MemoryStore implements ListedStore {
  readonly #values = new Map<string, unknown>();

  get(key: string): unknown {
    return this.#values.get(key);
  }

  async set(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.#values.delete(key);
    // As it would be read from a file.
    else this.#values.set(key, JSON.parse(JSON.stringify(value)));
  }

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  async load(): Promise<void> {
    // It has what it was given.
  }

  async flush(): Promise<void> {
    // Nothing is written.
  }
}
