import MiniSearch from 'minisearch';
import { isRecord, type JsonObject } from '../../src/base/json/json.ts';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { openCatalog } from '../../src/catalog/catalogToolMaker.ts';
import { ToolSearch } from '../../src/catalog/search/toolSearch.ts';
import { TermMaker } from '../../src/catalog/search/words/splitWords.ts';
import { keyOf } from './metrics.ts';

export interface BenchTool {
  readonly server: string;
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
}

/** A search over a set of tools: keys of the tools found, best first. */
export type Engine = (query: string, limit: number) => string[];

/** A catalog of the tools, grouped by server. */
export function catalogOf(tools: readonly BenchTool[]): Catalog {
  const catalog = openCatalog();
  for (const [server, own] of Map.groupBy(tools, (tool) => tool.server)) {
    catalog.setServer(server, server, own.map(({ server: _server, ...tool }) => ({ ...tool, annotations: {} }))); // prettier-ignore
  }
  return catalog;
}

/** The product's own search over a catalog, not indexed yet. */
export function ownSearch(catalog: Catalog): ToolSearch {
  return new ToolSearch(catalog, { loadSynonyms: () => import('../../src/catalog/search/words/synonymTable.ts') });
}

export function engineOf(search: ToolSearch): Engine {
  return (query, limit) =>
    search.search({ query, limit }).hits.map(({ tool }) => keyOf({ server: tool.serverName, name: tool.tool.name }));
}

/** The same over minisearch, with the product's own words and stems, its field weights, prefixes and typos. */
export function librarySearch(tools: readonly BenchTool[]): Engine {
  const maker = new TermMaker();
  const library = new MiniSearch({
    fields: ['server', 'name', 'description', 'parameterNames', 'parameterDescriptions'],
    tokenize: (text) => maker.termsOf(text),
    processTerm: (term) => term,
    searchOptions: {
      boost: { server: 1.5, name: 2.8, parameterNames: 0.6, parameterDescriptions: 0.3 },
      prefix: (term) => term.length >= 4,
      fuzzy: (term) => (term.length >= 5 ? 0.2 : false),
    },
  });
  library.addAll(
    tools.map((tool, id) => {
      const properties = isRecord(tool.inputSchema['properties']) ? tool.inputSchema['properties'] : {};
      const descriptions = Object.values(properties).map((one) =>
        isRecord(one) && typeof one['description'] === 'string' ? one['description'] : '',
      );
      return {
        id,
        server: tool.server,
        name: tool.name,
        description: tool.description ?? '',
        parameterNames: Object.keys(properties).join(' '),
        parameterDescriptions: descriptions.join(' '),
      };
    }),
  );
  return (query, limit) =>
    library
      .search(query)
      .slice(0, limit)
      .map(({ id }) => keyOf(tools[Number(id)] ?? { server: '', name: '' }));
}
