import { PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';

/** Milliseconds of processor time of this process since `before`. */
export function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Milliseconds of processor time of this thread. Linux brings a thread's time up to date at its ticks, 2.5 to 4 ms apart, and
 * when the whole process is asked for: hence the call before.
 */
export function threadCpuMs(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** A thread is at rest when it takes less than this of each of so many spans. */
const REST = { spanMs: 400, cpuMs: 12, spans: 3 };

/** Resolves when this thread is at rest: an editor has other extensions to start, and what they take isn't ours. Throws after a minute. */
export async function quietThread(): Promise<void> {
  const end = performance.now() + 60_000;
  for (let spans = 0; spans < REST.spans;) {
    const before = threadCpuMs();
    await new Promise((resolve) => setTimeout(resolve, REST.spanMs));
    spans = threadCpuMs() - before < REST.cpuMs ? spans + 1 : 0;
    if (performance.now() > end) throw new Error('the extension host has no rest');
  }
}

/** Looks for the longest piece of work between two turns of the event loop, in milliseconds of this thread's time. */
export interface SliceWatch {
  /** Ends. Gives the longest. */
  stop(): number;
  /** Once it is stopped: the longest less what the engine collected garbage meanwhile, which comes when it likes. */
  readonly longestWorkMs: number;
}

/** Shorter ones aren't kept. */
const KEPT_MS = 2;

export function watchSlices(): SliceWatch {
  const slices: { readonly from: number; readonly to: number; readonly cpuMs: number }[] = [];
  const pauses: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => void pauses.push(...list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  let on = true;
  let from = performance.now();
  let last = threadCpuMs();
  const look = (): void => {
    const cpuMs = threadCpuMs() - last;
    const to = performance.now();
    if (cpuMs > KEPT_MS) slices.push({ from, to, cpuMs });
    if (!on) return;
    last = threadCpuMs();
    from = to;
    setImmediate(look);
  };
  setImmediate(look);
  return {
    stop: () => {
      on = false;
      // What ran since the last turn.
      look();
      pauses.push(...observer.takeRecords());
      observer.disconnect();
      return Math.max(0, ...slices.map(({ cpuMs }) => cpuMs));
    },
    get longestWorkMs() {
      const collected = ({ from, to }: { readonly from: number; readonly to: number }): number =>
        pauses
          .filter(({ startTime }) => startTime >= from && startTime < to)
          .reduce((sum, { duration }) => sum + duration, 0);
      return Math.max(0, ...slices.map((slice) => slice.cpuMs - collected(slice)));
    },
  };
}
