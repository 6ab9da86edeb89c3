/** Keeps the best `limit` of the items that it is shown, in order. */
export class TopItems<T> {
  readonly #limit: number;
  readonly #compare: (a: T, b: T) => number;
  readonly #items: T[] = [];
  #seen = 0;

  /** @param compare below 0 where `a` is better; of equal ones the first stays */
  constructor(limit: number, compare: (a: T, b: T) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  get items(): readonly T[] {
    return this.#items;
  }

  /** Whether as many are kept as may be: a further one has to be better than the last. */
  get isFull(): boolean {
    return this.#items.length >= this.#limit;
  }

  /** How many items there were. */
  get seen(): number {
    return this.#seen;
  }

  /** Counts an item that the caller knows not to be among the best. */
  skip(): void {
    this.#seen += 1;
  }

  add(item: T): void {
    this.#seen += 1;
    const last = this.#items.at(-1);
    if (this.#items.length >= this.#limit && last !== undefined && this.#compare(last, item) <= 0) return;
    let low = 0;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#items[middle];
      if (other !== undefined && this.#compare(other, item) <= 0) low = middle + 1;
      else high = middle;
    }
    this.#items.splice(low, 0, item);
    if (this.#items.length > this.#limit) this.#items.pop();
  }
}
