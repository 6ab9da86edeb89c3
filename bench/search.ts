// npm run -s bench -- search [--tools FILE --queries FILE] [--misses]
//
// How well and how fast tools are found. FILE: lines of JSON, tools as {server, name, description, inputSchema},
// queries as bench/search/metrics.ts describes them; without them the project's own small set. The same queries are
// put to minisearch in turn. How fast, on 10,000 distinct tools: in processes of their own, see bench/search/speed.ts.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { mediansOf } from './connection/freshProcesses.ts';
import { report, type Goal } from './connection/report.ts';
import { root } from '../scripts/lib/paths.mjs';
import { readLines } from './search/distinctTools.ts';
import { catalogOf, engineOf, librarySearch, ownSearch, type BenchTool, type Engine } from './search/engines.ts';
import { keyOf, meanOf, measure, METRICS, percentile, type Metrics, type RetrievalQuery } from './search/metrics.ts';

const DEPTH = 100;
const MANY_TOOLS = 10_000;
const PROCESSES = 3;

/** What is aimed at, by the source that queries name. */
const QUALITY_GOALS: Readonly<Record<string, Readonly<Record<string, Goal>>>> = {
  own: { 'R@5': '>= 0.85', 'N@5': '>= 0.7', 'R@5 kw': '>= 0.95' },
  LiveMCPBench: { 'R@5': '>= 0.86' },
  'mcpproxy-go': { 'R@5': '>= 0.85' },
  StableToolBench: { 'R@5': '>= 0.7' },
  MetaTool: { 'R@5': '>= 0.72' },
  fixture: { 'R@5': '>= 0.9' },
};
/** Milliseconds, on 10,000 tools. */
const SPEED_GOALS: Readonly<Record<string, Goal>> = {
  'indexCpuMs @10000': '<= 500',
  'longestSliceMs @10000': '<= 15',
  'longestSliceCpuMs @10000': '<= 15',
  'queryP99Ms @10000': '<= 5',
  'updateMs @10000': '<= 20',
};

interface Row {
  readonly query: RetrievalQuery;
  readonly metrics: Metrics;
  readonly ranked: readonly string[];
  readonly ms: number;
}

function ask(engine: Engine, query: RetrievalQuery): Row {
  const start = performance.now();
  const ranked = engine(query.query, DEPTH);
  const ms = performance.now() - start;
  return { query, metrics: measure(query, ranked), ranked, ms };
}

function showMiss({ query, ranked }: Row): string {
  const readable = (key: string): string => key.replace('\0', '/');
  const wanted = query.relevant.filter(({ grade }) => grade === 2).map((tool) => readable(keyOf(tool)));
  return `MISS ${query.id} ${query.query}\n  wanted ${wanted.join(', ')}\n  got ${ranked.slice(0, 3).map(readable).join(', ')}`;
}

const fixtures = path.join(root, 'test/fixtures/catalog');
const { values } = parseArgs({
  options: {
    tools: { type: 'string', default: path.join(fixtures, 'tools.jsonl') },
    queries: { type: 'string', default: path.join(fixtures, 'queries.jsonl') },
    misses: { type: 'boolean', default: false },
  },
});
const tools = readLines<BenchTool>(values.tools);
const queries = readLines<RetrievalQuery>(values.queries);

const search = ownSearch(catalogOf(tools));
const indexStart = performance.now();
await search.ready();
const indexMs = performance.now() - indexStart;
const own = engineOf(search);
const library = librarySearch(tools);
for (const { query } of queries.slice(0, 20)) {
  own(query, DEPTH);
  library(query, DEPTH);
}
const rows: Row[] = [];
const libraryRows: Row[] = [];
for (const query of queries) {
  rows.push(ask(own, query));
  libraryRows.push(ask(library, query));
}
search.dispose();
const speed = mediansOf(path.join(import.meta.dirname, 'search/speed.ts'), PROCESSES);

if (values.misses) for (const row of rows) if (row.metrics['R@5'] < 1) console.log(showMiss(row));
const byKind = Map.groupBy(rows, ({ query }) => query.kind);
const figures: Record<string, number> = {
  tools: tools.length,
  queries: queries.length,
  ...meanOf(rows.map(({ metrics }) => metrics)),
  p50Ms: percentile(rows.map(({ ms }) => ms), 0.5),
  p99Ms: percentile(rows.map(({ ms }) => ms), 0.99),
  indexMs,
}; // prettier-ignore
for (const [kind, some] of byKind) {
  if (kind !== undefined) figures[`R@5 ${kind}`] = meanOf(some.map(({ metrics }) => metrics))['R@5'];
}
const libraryMean = meanOf(libraryRows.map(({ metrics }) => metrics));
for (const name of METRICS) figures[`minisearch ${name}`] = libraryMean[name];
const libraryTimes = libraryRows.map(({ ms }) => ms);
figures['minisearch p50Ms'] = percentile(libraryTimes, 0.5);
figures['minisearch p99Ms'] = percentile(libraryTimes, 0.99);
for (const [name, value] of Object.entries(speed)) figures[`${name} @${MANY_TOOLS}`] = value;
const sources = new Set(queries.map(({ source = '' }) => source.split('/')[0] ?? ''));
const quality = sources.size === 1 ? QUALITY_GOALS[[...sources][0] ?? ''] : undefined;
report('search', figures, { ...quality, ...SPEED_GOALS });
