/** Whole numbers in a row. It keeps its room when it is emptied, so that one list can serve again and again. */
export class IntList {
  #items: Int32Array<ArrayBuffer>;
  #length = 0;

  constructor(room = 64) {
    this.#items = new Int32Array(room);
  }

  get length(): number {
    return this.#length;
  }

  /** The number at `index`; 0 behind the end of the room. */
  at(index: number): number {
    return this.#items[index] ?? 0;
  }

  push(item: number): void {
    if (this.#length === this.#items.length) {
      const wider = new Int32Array(this.#length * 2);
      wider.set(this.#items);
      this.#items = wider;
    }
    this.#items[this.#length] = item;
    this.#length += 1;
  }

  append(other: IntList): void {
    for (let index = 0; index < other.length; index += 1) this.push(other.at(index));
  }

  /** Leaves only the first `length` numbers. */
  cut(length: number): void {
    if (length < this.#length) this.#length = length;
  }

  toArray(): Int32Array<ArrayBuffer> {
    return this.#items.slice(0, this.#length);
  }
}
