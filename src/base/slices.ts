/** How long a slice of work goes on before others may run, in milliseconds. */
const SLICE_MS = 4;

/** Does work step by step, with other work let in every few milliseconds; the first slice begins at once. */
export async function inSlices(work: Iterator<unknown>): Promise<void> {
  for (;;) {
    const end = performance.now() + SLICE_MS;
    while (performance.now() < end) if (work.next().done === true) return;
    await nextTurn();
  }
}

/** Lets others run. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
