// npm run -s bench -- context [--tools FOLDER]
//
// What the tools of many servers cost of a model's context. FOLDER: a file of JSON per server, with `tools` and perhaps
// `instructions`, as `tools/list` gives them. Printed: what search exposure costs at the beginning (the instructions, and
// with the language model tools of the manifest), against all definitions; and the input of a conversation of ten calls of
// found tools, once with every tool native, once through mcp_call_tool, once with loadFoundTools.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../scripts/lib/paths.mjs';
import { overviewDefinition } from '../src/bridge/gateway/editor/overviewServer.ts';
import { searchText } from '../src/bridge/lmTools/toolText.ts';
import { openCatalog } from '../src/catalog/catalogToolMaker.ts';
import { contextStats } from '../src/catalog/exposure/contextStats.ts';
import { instructionsFor } from '../src/catalog/exposure/instructions.ts';
import { definitionText, estimateTokens } from '../src/catalog/exposure/toolDefinition.ts';
import type { McpTool } from '../src/connection/connectionTypes.ts';
import { report } from './connection/report.ts';
import { ownSearch } from './search/engines.ts';

/** What a provider takes for a token that its cache has, of a whole one; the cache holds as far as nothing has changed. */
const CACHED_PRICE = 0.1;
const CALLS = 10;
/** Of a call with its arguments and its result. */
const CALL_TOKENS = 300;
const MAX_LOADED = 20;
const SHOWN = { maxToolsPerSearch: 5, summaryDescriptionLimit: 100, now: 0 };

interface ServerFile {
  readonly tools: readonly (Omit<McpTool, 'annotations'> & Partial<Pick<McpTool, 'annotations'>>)[];
  readonly instructions?: string;
}

const { values } = parseArgs({ options: { tools: { type: 'string', default: path.join(root, '../shared/tools') } } });
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  contributes: { languageModelTools: readonly { name: string; modelDescription: string; inputSchema: object }[] };
};
const catalog = openCatalog();
const servers = readdirSync(values.tools)
  .filter((file) => file.endsWith('.json'))
  .map((file) => {
    const { tools, instructions } = JSON.parse(readFileSync(path.join(values.tools, file), 'utf8')) as ServerFile;
    const name = path.basename(file, '.json');
    catalog.setServer(name, name, tools.map((tool) => ({ ...tool, annotations: tool.annotations ?? {} }))); // prettier-ignore
    const own = instructions === undefined ? {} : { instructions };
    return { serverName: name, tools: catalog.toolsOf(name), ...own };
  });
const instructions = instructionsFor(servers, 'search');
const stats = await contextStats({ tools: catalog.tools, loaded: new Set(), instructions }, estimateTokens);
const ownTools = manifest.contributes.languageModelTools.map(({ name, modelDescription, inputSchema }) =>
  estimateTokens(JSON.stringify({ name, description: modelDescription, input_schema: inputSchema })),
);
const overviewTokens = estimateTokens(JSON.stringify(overviewDefinition(servers)));
const ownTokens = ownTools.reduce((sum, tokens) => sum + tokens, 0);

/** One request: what stands before the conversation, and the conversation so far, in tokens. */
interface Request {
  readonly head: number;
  readonly talk: number;
}

const search = ownSearch(catalog);
await search.ready();
const queries = readFileSync(path.join(root, 'test/fixtures/catalog/queries.jsonl'), 'utf8')
  .split('\n')
  .filter(Boolean);
/** What every request carries under search: the overview, whose description the instructions are, and our own tools. */
const head = overviewTokens + ownTokens;
const found: Request[] = [];
const loading: Request[] = [];
const loaded = new Map<string, number>();
let talk = 0;
for (const line of queries.slice(0, CALLS)) {
  const { query } = JSON.parse(line) as { query: string };
  const { hits, total } = search.search({ query, limit: 10 });
  const loadedTokens = (): number => [...loaded.values()].reduce((sum, tokens) => sum + tokens, 0);
  found.push({ head, talk });
  loading.push({ head: head + loadedTokens(), talk });
  talk += estimateTokens(searchText(hits, total, [], SHOWN));
  for (const { tool } of hits.slice(0, SHOWN.maxToolsPerSearch)) {
    loaded.delete(tool.name);
    loaded.set(tool.name, estimateTokens(definitionText(tool)));
  }
  for (const name of loaded.keys()) if (loaded.size > MAX_LOADED) loaded.delete(name);
  found.push({ head, talk });
  loading.push({ head: head + loadedTokens(), talk });
  talk += CALL_TOKENS;
}
search.dispose();
const native = Array.from({ length: CALLS }, (_, call) => ({ head: stats.all.tokens, talk: call * CALL_TOKENS }));

function whole(requests: readonly Request[]): number {
  return requests.reduce((sum, request) => sum + request.head + request.talk, 0);
}

/** The definitions stand before the conversation: where they change, nothing of the cache holds. */
function cached(requests: readonly Request[]): number {
  let before: Request | undefined;
  let sum = 0;
  for (const request of requests) {
    const kept = before?.head === request.head ? before.head + before.talk : 0;
    sum += request.head + request.talk - kept * (1 - CACHED_PRICE);
    before = request;
  }
  return sum;
}

report(
  'context',
  {
    servers: servers.length,
    tools: stats.all.count,
    allTokens: stats.all.tokens,
    instructionTokens: stats.instructions.tokens,
    lmToolTokens: ownTokens,
    searchTokens: head,
    searchPercent: (100 * head) / stats.all.tokens,
    tenCallsNative: whole(native),
    tenCallsSearch: whole(found),
    tenCallsLoading: whole(loading),
    tenCallsNativeCached: cached(native),
    tenCallsSearchCached: cached(found),
    tenCallsLoadingCached: cached(loading),
  },
  { searchTokens: '<= 1500', searchPercent: '<= 3' },
);
