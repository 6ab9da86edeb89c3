/**
 * What is under way, by its key, in the order in which it began. In place of a `Map`, because of how V8 makes those: a table
 * that is replaced keeps what was in it and the table after it. Once one such table is in the old generation, everything that is
 * under way later is copied there, too, and stays until all of the heap is looked through. Keys are looked up one by one:
 * rarely are more than a hundred under way, and the oldest mostly ends first.
 */
export class InFlight<K, V = true> {
  readonly #keys: K[] = [];
  readonly #values: V[] = [];

  get size(): number {
    return this.#keys.length;
  }

  get(key: K): V | undefined {
    return this.#values[this.#keys.indexOf(key)];
  }

  /** A key that is there keeps its place. */
  set(key: K, value: V): void {
    const at = this.#keys.indexOf(key);
    if (at >= 0) this.#values[at] = value;
    else {
      this.#keys.push(key);
      this.#values.push(value);
    }
  }

  /** Ends it. @returns its value; `undefined`: it wasn't under way */
  take(key: K): V | undefined {
    const at = this.#keys.indexOf(key);
    const value = this.#values[at];
    if (at >= 0) for (const list of [this.#keys, this.#values]) list.splice(at, 1);
    return value;
  }

  /** As they are now, oldest first. */
  keys(): readonly K[] {
    return this.#keys.slice();
  }
}
