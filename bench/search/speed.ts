// Part of the benchmark `search`, in a process of its own: how fast the product's search is on 10,000 distinct tools where nothing was
// compiled before. Prints a line of JSON.
import { threadCpuMs } from '../scale/processorTime.ts';
import { distinctTools, queriesOfAllSets, toolsOfAllSets } from './distinctTools.ts';
import { catalogOf, ownSearch } from './engines.ts';
import { percentile } from './metrics.ts';
import type { ToolSearch } from '../../src/catalog/search/toolSearch.ts';

const COUNT = 10_000;

/** Milliseconds. */
interface IndexFigures {
  /** CPU time to index everything. */
  readonly indexCpuMs: number;
  /** The longest time that indexing held the thread. */
  readonly longestSliceMs: number;
  /** The same by the thread's own processor time, which other processes don't lengthen. */
  readonly longestSliceCpuMs: number;
}

const given = toolsOfAllSets();
const queries = queriesOfAllSets();
const catalog = catalogOf(distinctTools(given, COUNT));
const search = ownSearch(catalog);
const index = await measureIndex(search);
/** Each query once: nobody asks the same twice, and nothing is warm. */
const times = queries.map((query) => {
  const start = performance.now();
  search.search({ query });
  return performance.now() - start;
});
const updates = catalog.serverIds.slice(0, 99).map((id) => {
  const changed = catalog
    .toolsOf(id)
    .map(({ tool }) => ({ ...tool, description: `${tool.description ?? ''} changed` }));
  const start = performance.now();
  catalog.setServer(id, id, changed);
  search.search({ query: 'changed' });
  return performance.now() - start;
});
search.dispose();
const figures = {
  ...index,
  tools: catalog.tools.length,
  asGiven: Math.min(COUNT, given.length),
  queries: queries.length,
  queryP50Ms: percentile(times, 0.5),
  queryP99Ms: percentile(times, 0.99),
  queryMaxMs: Math.max(...times),
  /** From one server's change to the first answer that knows it. */
  updateMs: percentile(updates, 0.5),
  updateP99Ms: percentile(updates, 0.99),
};
console.log(JSON.stringify({ figures }));
process.exit();

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
