/** How long a slice of work goes on before others may run, in milliseconds. */
const SLICE_MS = 4;

/** Work in small steps that ends with a value. Composed with `yield*`. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does work step by step, with other work let in every few milliseconds; the first slice begins at once. */
export async function inSlices<T>(work: Iterator<unknown, T>): Promise<T> {
  for (;;) {
    const end = performance.now() + SLICE_MS;
    while (performance.now() < end) {
      const step = work.next();
      if (step.done === true) return step.value;
    }
    await nextTurn();
  }
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
