import type { Disposable } from '../../base/disposable.ts';
import { TopItems } from './bestItems.ts';
import type { Catalog } from '../catalog.ts';
import { matchName, mayName, NAME_MATCH, nameQuery, type NameMatch } from './nameMatch.ts';
import { scoreTools } from './ranking.ts';
import { findByRegex } from './regexSearch.ts';
import { SearchIndexer } from './searchIndexer.ts';
import type { ServerIndex } from './index/serverIndex.ts';
import { summarise } from '../exposure/descriptions.ts';
import type { SynonymModule } from './words/synonyms.ts';
import type { RankingSources } from './termScores.ts';
import { meant, serverOf, serverSpellings } from '../names/serverNames.ts';
import type { CatalogTool } from '../catalogTool.ts';

const DEFAULT_LIMIT = 20;
/** More words than anybody searches by; in UTF-16 units. */
const LONGEST_QUERY = 2_000;

export interface SearchQuery {
  /** Words, a name, or a regular expression. Empty: every tool. */
  readonly query: string;
  /** The most hits that come back; 20 by default. */
  readonly limit?: number;
  readonly regex?: boolean;
  /** Only tools of the server of this configured name or id. */
  readonly server?: string;
}

export interface SearchHit {
  readonly tool: CatalogTool;
  /** One line, at most 100 characters. */
  readonly summary: string;
  /** `name`: the query names it, whole or in part; `words`: ranked; `regex`; `listed`: the query was empty. */
  readonly match: 'name' | 'words' | 'regex' | 'listed';
}

export interface SearchResult {
  /** Best first. */
  readonly hits: readonly SearchHit[];
  /** How many matched before the limit. */
  readonly total: number;
}

/** What a search may be given. */
export interface ToolSearchOptions {
  /** Loads the table of synonyms; without it, search works with fewer related words. */
  readonly loadSynonyms?: () => Promise<SynonymModule>;
}

/** Finds tools of a catalog. Follows its changes; only the server that changed is indexed anew. */
export class ToolSearch implements Disposable {
  readonly #catalog: Catalog;
  readonly #indexer: SearchIndexer;

  constructor(catalog: Catalog, options: ToolSearchOptions = {}) {
    this.#catalog = catalog;
    this.#indexer = new SearchIndexer(catalog, options.loadSynonyms);
  }

  /**
   * Makes the index and loads the synonyms in slices of a few milliseconds, so that nothing else waits long. A search
   * before that indexes the rest at once.
   */
  ready(): Promise<void> {
    return this.#indexer.ready();
  }

  /**
   * The tools that fit the query. Tools that it names come first, whole names before parts; then the rest by rank.
   * The same catalog and query always give the same answer.
   *
   * @throws SwitchboardError `invalid-arguments`: a regular expression that isn't one or takes too long
   */
  search(query: SearchQuery): SearchResult {
    const limit = Math.max(1, Math.floor(query.limit ?? DEFAULT_LIMIT));
    const { best, total } = this.#find(query, limit);
    return { hits: best.map(({ tool, match }) => ({ tool, match, summary: summarise(tool) })), total };
  }

  dispose(): void {
    this.#indexer.dispose();
  }

  #find({ query, regex, server }: SearchQuery, limit: number): Findings {
    const isWanted = ofServer(server, this.#catalog.tools);
    if (query.trim() !== '' && regex !== true) {
      const sources = this.#indexer.sources();
      const servers = this.#indexer.servers.filter(({ tools }) => isWanted(tools[0]));
      return rank(query.slice(0, LONGEST_QUERY), servers, sources, limit);
    }
    const tools = this.#catalog.tools.filter(isWanted);
    if (regex !== true) return cut(tools, 'listed', limit);
    const { byName, byDescription } = findByRegex(query, tools);
    return cut([...byName, ...byDescription], 'regex', limit);
  }
}

interface Found {
  readonly tool: CatalogTool;
  readonly match: SearchHit['match'];
}

/** The best, at most as many as the limit, and how many there are. */
interface Findings {
  readonly best: readonly Found[];
  readonly total: number;
}

/** Tests whether a tool is of this server: by its id, or by any of its names. */
function ofServer(
  server: string | undefined,
  tools: readonly CatalogTool[],
): (tool: CatalogTool | undefined) => boolean {
  if (server === undefined) return () => true;
  const servers = [...new Map(tools.map((tool) => [tool.serverId, tool])).values()];
  const named = meant(server, servers, (tool) => [tool.serverId, ...serverSpellings(serverOf(tool))]);
  return (tool) => tool !== undefined && tool.serverId === named?.serverId;
}

function cut(tools: readonly CatalogTool[], match: SearchHit['match'], limit: number): Findings {
  return { best: tools.slice(0, limit).map((tool) => ({ tool, match })), total: tools.length };
}

interface Candidate {
  readonly tool: CatalogTool;
  readonly name: NameMatch;
  readonly score: number;
}

function rank(text: string, servers: readonly ServerIndex[], sources: RankingSources, limit: number): Findings {
  const scores = scoreTools(text, servers, sources, limit);
  const named = nameQuery(text);
  const best = new TopItems<Candidate>(limit, compareCandidates);
  let at = 0;
  for (const { tools, nameKeys, serverKey, longestName } of servers) {
    const namesTools = mayName(named, longestName);
    for (let place = 0; place < tools.length; place += 1, at += 1) {
      const tool = tools[place];
      const keys = nameKeys[place];
      if (tool === undefined || keys === undefined) continue;
      const name = namesTools ? matchName(named, keys, serverKey) : NAME_MATCH.none;
      const score = scores[at] ?? 0;
      if (score === 0 && name === NAME_MATCH.none) continue;
      const worst = best.isFull ? best.items.at(-1) : undefined;
      // Most tools end here: nothing is made of one that can't be among the best.
      if (worst !== undefined && (name > worst.name || (name === worst.name && score < worst.score))) best.skip();
      else best.add({ tool, name, score });
    }
  }
  const found = best.items.map(
    ({ tool, name }) => ({ tool, match: name === NAME_MATCH.none ? 'words' : 'name' }) as const,
  );
  return { best: found, total: best.seen };
}

function compareCandidates(a: Candidate, b: Candidate): number {
  return a.name - b.name || b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1);
}
