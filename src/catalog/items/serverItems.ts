import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { JsonObject } from '../../base/json/json.ts';
import type { McpTool } from '../../connection/connectionTypes.ts';
import { openCatalog } from '../catalogToolMaker.ts';
import type { ServerItem, ItemLists } from './listServerItems.ts';
import { ToolSearch, type ToolSearchOptions } from '../search/toolSearch.ts';
import { cutAtWord, SUMMARY_LIMIT } from '../exposure/descriptions.ts';
import type { CatalogTool } from '../catalogTool.ts';
import { TermMaker } from '../search/words/splitWords.ts';

const MIN_COVERED = 0.5;

/** Resources, templates, prompts and skills of all servers, and the search over them. */
export class ServerItems implements Disposable {
  readonly #servers = new Map<string, readonly ServerItem[]>();
  readonly #changed = new Emitter<void>();
  /** ServerItems in the form of tools, so that one search serves both. */
  readonly #index = openCatalog();
  readonly #itemOf = new WeakMap<McpTool, ServerItem>();
  readonly #search: ToolSearch;
  readonly #maker = new TermMaker();

  constructor(options: ToolSearchOptions = {}) {
    this.#search = new ToolSearch(this.#index, options);
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** All of a server, or all there is. */
  list(serverId?: string): readonly ServerItem[] {
    return serverId === undefined ? [...this.#servers.values()].flat() : (this.#servers.get(serverId) ?? []);
  }

  setServer(serverId: string, serverName: string, items: ItemLists): void {
    const all = itemsOf(serverId, serverName, items);
    this.#servers.set(serverId, all);
    const tools = all.map((item) => {
      const tool = asTool(item);
      this.#itemOf.set(tool, item);
      return tool;
    });
    this.#index.setServer(serverId, serverName, tools);
    this.#changed.fire();
  }

  removeServer(serverId: string): void {
    if (!this.#servers.delete(serverId)) return;
    this.#index.removeServer(serverId);
    this.#changed.fire();
  }

  /** Makes the index in slices; see {@link ToolSearch.ready}. */
  ready(): Promise<void> {
    return this.#search.ready();
  }

  /** What fits the query, best first: what it names, and what has at least half of its words. */
  search(query: string, limit: number, server?: string): readonly ServerItem[] {
    const { hits } = this.#search.search({ query, limit, ...(server === undefined ? {} : { server }) });
    const wanted = new Set(this.#maker.termsOf(query));
    const fitting = hits.filter(({ tool, match }) => match !== 'words' || this.#covers(tool, wanted));
    return fitting.map(({ tool }) => this.#itemOf.get(tool.tool)).filter((item) => item !== undefined);
  }

  /** Whether an item has enough of what is asked for: it stands beside tools, which a search is for in the first place. */
  #covers({ tool, serverName }: CatalogTool, wanted: ReadonlySet<string>): boolean {
    const terms = new Set(this.#maker.termsOf(`${serverName} ${tool.name} ${tool.title} ${tool.description}`));
    const covered = [...wanted].filter((term) => terms.has(term));
    return covered.length >= wanted.size * MIN_COVERED;
  }

  dispose(): void {
    this.#search.dispose();
    this.#index.dispose();
    this.#changed.dispose();
  }
}

function itemsOf(serverId: string, serverName: string, items: ItemLists): ServerItem[] {
  const own = { serverId, serverName };
  // A server may list the files of its skills as resources, too: they are found as what they are.
  const ofSkills = new Set(
    (items.skills ?? []).flatMap(({ files }) => (files === 'dynamic' ? [] : files)).map(({ uri }) => uri),
  );
  return [
    ...items.resources
      .filter(({ uri }) => !ofSkills.has(uri))
      .map((resource) => {
        const summary = summaryOf(resource, `Resource ${resource.name} from ${serverName}`);
        return { ...own, kind: 'resource', resource, summary } as const;
      }),
    ...items.templates.map((template) => {
      const summary = summaryOf(template, `Resources ${template.name} from ${serverName}`);
      return { ...own, kind: 'template', template, summary } as const;
    }),
    ...items.prompts.map((prompt) => {
      const summary = summaryOf(prompt, `Prompt ${prompt.name} from ${serverName}`);
      return { ...own, kind: 'prompt', prompt, summary } as const;
    }),
    ...(items.skills ?? []).map((skill) => {
      const summary = summaryOf(skill, `Skill ${skill.name} from ${serverName}`);
      return { ...own, kind: 'skill', skill, summary } as const;
    }),
  ];
}

function summaryOf(item: { readonly title?: string; readonly description?: string }, otherwise: string): string {
  const text = item.description?.trim() || item.title?.trim() || otherwise;
  return cutAtWord(text.replaceAll(/\s+/g, ' '), SUMMARY_LIMIT);
}

function asTool(item: ServerItem): McpTool {
  switch (item.kind) {
    case 'resource':
      return toolOf(item.resource.uri, item.resource, item.resource.mimeType);
    case 'template':
      return toolOf(item.template.uriTemplate, item.template, item.template.mimeType);
    case 'skill':
      return toolOf(item.skill.uri, { ...item.skill, title: item.skill.name }, 'skill');
    case 'prompt': {
      const properties = (item.prompt.arguments ?? []).map(({ name, description = '' }) => [name, { description }]);
      return {
        ...toolOf(item.prompt.name, item.prompt, ''),
        inputSchema: { properties: Object.fromEntries(properties) as JsonObject },
      };
    }
  }
}

function toolOf(
  key: string,
  item: { readonly name: string; readonly title?: string; readonly description?: string },
  mimeType = '',
): McpTool {
  return {
    name: key,
    title: `${item.name} ${item.title ?? ''}`,
    description: `${item.description ?? ''} ${mimeType}`,
    inputSchema: {},
    annotations: {},
  };
}
