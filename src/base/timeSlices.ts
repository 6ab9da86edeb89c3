/** How long the slices of one turn of the event loop go on before others may run, in milliseconds. */
const SLICE_MS = 4;

/** Work in small steps that ends with a value. Composed with `yield*`. */
export type Steps<T> = Generator<undefined, T, undefined>;

type Slice = (end: number) => void;

/**
 * The slices of all works: they share each turn's time, because there is one thread. Twenty servers that list their tools at once
 * would otherwise hold it twenty times as long.
 */
class SharedTurns {
  readonly #waiting: Slice[] = [];
  #end: number | undefined;

  /** Runs a slice now, where this turn has time for it, or when its turn comes. */
  add(slice: Slice): void {
    const end = this.#endOfTurn();
    if (this.#waiting.length === 0 && performance.now() < end) slice(end);
    else this.#waiting.push(slice);
  }

  /** Runs a slice in a later turn, behind those that wait. */
  addLater(slice: Slice): void {
    this.#waiting.push(slice);
  }

  #endOfTurn(): number {
    if (this.#end === undefined) {
      this.#end = performance.now() + SLICE_MS;
      setImmediate(() => this.#next());
    }
    return this.#end;
  }

  #next(): void {
    this.#end = undefined;
    for (let count = this.#waiting.length; count > 0; count -= 1) {
      const end = this.#endOfTurn();
      if (performance.now() >= end) return;
      this.#waiting.shift()?.(end);
    }
  }
}

const turns = new SharedTurns();

/** Does work step by step, with other work let in every few milliseconds; the first slice begins at once where it can. */
export function inSlices<T>(work: Iterator<unknown, T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const slice = (end: number): void => {
    try {
      do {
        const step = work.next();
        if (step.done === true) return resolve(step.value);
      } while (performance.now() < end);
      turns.addLater(slice);
    } catch (error) {
      reject(error);
    }
  };
  turns.add(slice);
  return promise;
}

/** Does all of the work at once. */
export function atOnce<T>(work: Iterator<unknown, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** The results of an operation on each item, with a step behind each so many. */
export function* mapSteps<T, R>(items: readonly T[], map: (item: T, index: number) => R, each = 16): Steps<R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    results.push(map(item, index));
    if (index % each === each - 1) yield;
  }
  return results;
}

/** Lets others run. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
