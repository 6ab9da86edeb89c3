// npm run -s bench -- context [--tools FILE --queries FILE]
//
// What the tools of many servers cost of a model's context. FILE: as of the benchmark `search`. Printed: what stands before each
// conversation under search (the overview, and the language model tools of the manifest); and the input of conversations of ten
// calls, through mcp_call_tool and with loadFoundTools, against what the setting `native` gives: 64 definitions, and the rest by
// search. A first search whose answer hasn't got the tool is followed by a second one.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../scripts/lib/paths.mjs';
import { overviewDefinition } from '../src/bridge/gateway/editor/overviewServer.ts';
import { searchText } from '../src/bridge/lmTools/toolText.ts';
import { contextStats } from '../src/catalog/exposure/contextStats.ts';
import { instructionsFor } from '../src/catalog/exposure/instructions.ts';
import { definitionText, estimateTokens } from '../src/catalog/exposure/toolDefinition.ts';
import { decideExposure, nativeTools } from '../src/catalog/exposure/toolExposure.ts';
import { report } from './connection/report.ts';
import { cached, Conversation, sumOf, whole, type Request } from './context/conversation.ts';
import { readLines } from './search/distinctTools.ts';
import { catalogOf, ownSearch, type BenchTool } from './search/engines.ts';
import { keyOf, type RetrievalQuery } from './search/metrics.ts';

const CALLS = 10;
/** Of a call with its arguments and its result. */
const CALL_TOKENS = 300;
const SHOWN = { maxToolsPerSearch: 5, summaryDescriptionLimit: 100, now: 0 };

const developers = path.join(root, '../shared/retrieval/devtools');
const fixtures = path.join(root, 'test/fixtures/catalog');
const [set, ending] = existsSync(developers) ? [developers, '.dev.jsonl'] : [fixtures, '.jsonl'];
const { values } = parseArgs({
  options: {
    tools: { type: 'string', default: path.join(set, 'tools.jsonl') },
    queries: { type: 'string', default: path.join(set, `queries${ending}`) },
  },
});
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  contributes: {
    languageModelTools: readonly { name: string; modelDescription: string; inputSchema: object; when?: string }[];
  };
};
const catalog = catalogOf(readLines<BenchTool>(values.tools));
const servers = catalog.serverIds.map((id) => ({ serverName: id, tools: catalog.toolsOf(id) }));
const instructions = instructionsFor(servers, 'search');
const stats = await contextStats({ tools: catalog.tools, loaded: new Set(), instructions }, estimateTokens);
/** Those that the model always has; others come with skills, tasks, scripts and servers that need a sign-in. */
const ownTools = manifest.contributes.languageModelTools.filter(({ when }) => when === undefined);
const ownTokens = sumOf(
  ownTools.map(({ name, modelDescription, inputSchema }) =>
    estimateTokens(JSON.stringify({ name, description: modelDescription, input_schema: inputSchema })),
  ),
);
/** What every request carries under search: the overview, whose description the instructions are, and our own tools. */
const head = estimateTokens(JSON.stringify(overviewDefinition(servers))) + ownTokens;

const decision = decideExposure({ setting: 'native', toolCount: stats.all.count, definitionTokens: stats.all.tokens });
const nothing = { joined: [], has: () => false, isSearchOnly: () => false };
const offered = nativeTools(catalog.tools, nothing, decision);
const isNative = new Set(offered.map(({ serverId, tool }) => keyOf({ server: serverId, name: tool.name })));
const definitions = sumOf(offered.map((tool) => estimateTokens(definitionText(tool))));
const nativeHead = definitions + (offered.length < stats.all.count ? head : 0);

const search = ownSearch(catalog);
await search.ready();
let failed = 0;

function converse(queries: readonly RetrievalQuery[]): Record<'native' | 'found' | 'loading', readonly Request[]> {
  const [native, found, loading] = [new Conversation(nativeHead), new Conversation(head), new Conversation(head)];
  for (const { query, relevant } of queries) {
    const { hits, total } = search.search({ query, limit: 10 });
    const keys = relevant.map(keyOf);
    const shown = hits.slice(0, SHOWN.maxToolsPerSearch);
    const isFound = shown.some(({ tool }) => keys.includes(keyOf({ server: tool.serverId, name: tool.tool.name })));
    failed += isFound ? 0 : 1;
    const answer = estimateTokens(searchText(hits, total, [], SHOWN));
    const needsSearch = keys.some((key) => isNative.has(key)) ? [found, loading] : [native, found, loading];
    for (let searches = isFound ? 1 : 2; searches > 0; searches -= 1) {
      for (const conversation of needsSearch) conversation.ask(answer);
      for (const { tool } of shown) loading.load(tool.name, estimateTokens(definitionText(tool)));
    }
    for (const conversation of [native, found, loading]) conversation.ask(CALL_TOKENS);
  }
  return { native: native.requests, found: found.requests, loading: loading.requests };
}

const queries = readLines<RetrievalQuery>(values.queries);
const talks = Array.from({ length: Math.floor(queries.length / CALLS) }, (_, at) =>
  converse(queries.slice(at * CALLS, (at + 1) * CALLS)),
);
search.dispose();

const mean = (side: 'native' | 'found' | 'loading', cost: (requests: readonly Request[]) => number): number =>
  sumOf(talks.map((talk) => cost(talk[side]))) / talks.length;

report(
  'context',
  {
    servers: servers.length,
    tools: stats.all.count,
    allTokens: stats.all.tokens,
    nativeTools: offered.length,
    nativeTokens: nativeHead,
    instructionTokens: stats.instructions.tokens,
    lmToolTokens: ownTokens,
    searchTokens: head,
    headRatio: head / nativeHead,
    failedFirstSearches: failed / (talks.length * CALLS),
    tenCallsNative: mean('native', whole),
    tenCallsSearch: mean('found', whole),
    tenCallsRatio: mean('found', whole) / mean('native', whole),
    tenCallsLoading: mean('loading', whole),
    tenCallsNativeCached: mean('native', cached),
    tenCallsSearchCached: mean('found', cached),
    cachedRatio: mean('found', cached) / mean('native', cached),
    tenCallsLoadingCached: mean('loading', cached),
  },
  {
    headRatio: '<= 0.15',
    tenCallsRatio: '<= 0.75',
    cachedRatio: '<= 0.8',
  },
);
