import type { ToolSearch } from '../../src/catalog/search/toolSearch.ts';
import { catalogOf, ownSearch, type BenchTool } from './engines.ts';
import { threadCpuMs } from '../scale/processorTime.ts';
import { percentile } from './metrics.ts';

/** Milliseconds. */
interface IndexFigures {
  /** CPU time to index everything. */
  readonly indexCpuMs: number;
  /** The longest time that indexing held the thread. */
  readonly longestSliceMs: number;
  /** The same by the thread's own processor time, which other processes don't lengthen. */
  readonly longestSliceCpuMs: number;
}

/** Medians of some rounds, each query's own among them: on a busy machine one round says little. */
export interface SpeedFigures extends IndexFigures {
  readonly queryP50Ms: number;
  readonly queryP99Ms: number;
  /** From one server's change to the first answer that knows it. */
  readonly updateMs: number;
}

const SERVER_SIZE = 40;
const WARM_UP_ROUNDS = 2;
const ROUNDS = 3;

/** How fast the product's search is on `count` tools, made of the given ones under further servers' names. */
export async function measureSpeed(
  tools: readonly BenchTool[],
  queries: readonly string[],
  count: number,
): Promise<SpeedFigures> {
  const at = (place: number): BenchTool => {
    const tool = tools[place % tools.length];
    if (tool === undefined) throw new Error('No tools to measure with.');
    return tool;
  };
  const many = Array.from({ length: count }, (_unused, place) => {
    const block = place - (place % SERVER_SIZE);
    const name = `${at(place).name}${Math.floor(place / tools.length) || ''}`;
    return { ...at(place), name, server: `${at(block).server}-${block / SERVER_SIZE}` };
  });
  // Just-in-time compilation is paid once per process and not per index.
  await ownSearch(catalogOf(many.slice(0, 500))).ready();
  const catalog = catalogOf(many);
  const rounds: IndexFigures[] = [];
  let search = ownSearch(catalog);
  for (let round = 0; round < ROUNDS; round += 1) {
    search.dispose();
    search = ownSearch(catalog);
    rounds.push(await measureIndex(search));
  }
  const timesOf = queries.map((): number[] => []);
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    for (const [place, query] of queries.entries()) {
      const start = performance.now();
      search.search({ query });
      if (round >= 0) timesOf[place]?.push(performance.now() - start);
    }
  }
  const times = timesOf.map(median);
  const updates = Array.from({ length: 9 }, (_unused, round) => {
    const id = catalog.serverIds[round] ?? '';
    const changed = catalog
      .toolsOf(id)
      .map(({ tool }) => ({ ...tool, description: `${tool.description ?? ''} changed` }));
    const start = performance.now();
    catalog.setServer(id, id, changed);
    search.search({ query: 'changed' });
    return performance.now() - start;
  });
  search.dispose();
  return {
    indexCpuMs: median(rounds.map(({ indexCpuMs }) => indexCpuMs)),
    longestSliceMs: median(rounds.map(({ longestSliceMs }) => longestSliceMs)),
    longestSliceCpuMs: median(rounds.map(({ longestSliceCpuMs }) => longestSliceCpuMs)),
    queryP50Ms: percentile(times, 0.5),
    queryP99Ms: percentile(times, 0.99),
    updateMs: median(updates),
  };
}

/** Makes the index as the extension does, with a look at the clock whenever others may run. */
async function measureIndex(search: ToolSearch): Promise<IndexFigures> {
  const before = process.cpuUsage();
  let longestSliceMs = 0;
  let longestSliceCpuMs = 0;
  let last = performance.now();
  let lastCpu = threadCpuMs();
  const state = { isReady: false };
  void search.ready().then(() => (state.isReady = true));
  while (!state.isReady) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = performance.now();
    longestSliceMs = Math.max(longestSliceMs, now - last);
    last = now;
    longestSliceCpuMs = Math.max(longestSliceCpuMs, threadCpuMs() - lastCpu);
    lastCpu = threadCpuMs();
  }
  const used = process.cpuUsage(before);
  return { indexCpuMs: (used.user + used.system) / 1000, longestSliceMs, longestSliceCpuMs };
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
