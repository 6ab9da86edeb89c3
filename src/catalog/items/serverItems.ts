import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { JsonObject } from '../../base/json.ts';
import type { McpTool } from '../../connection/connectionTypes.ts';
import { Catalog } from '../catalog.ts';
import type { Offer, ServerOffers } from './listServerItems.ts';
import { ToolSearch, type ToolSearchOptions } from '../search/toolSearch.ts';
import { cutAtWord, SUMMARY_LIMIT } from '../exposure/descriptions.ts';
import type { CatalogTool } from '../catalogTool.ts';
import { TermMaker } from '../search/words/words.ts';

const MIN_COVERED = 0.5;

/** Resources, templates and prompts of all servers, and the search over them. */
export class Offers implements Disposable {
  readonly #servers = new Map<string, readonly Offer[]>();
  readonly #changed = new Emitter<void>();
  /** Offers in the form of tools, so that one search serves both. */
  readonly #index = new Catalog();
  readonly #offerOf = new WeakMap<McpTool, Offer>();
  readonly #search: ToolSearch;
  readonly #maker = new TermMaker();

  constructor(options: ToolSearchOptions = {}) {
    this.#search = new ToolSearch(this.#index, options);
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** All of a server, or all there is. */
  list(serverId?: string): readonly Offer[] {
    return serverId === undefined ? [...this.#servers.values()].flat() : (this.#servers.get(serverId) ?? []);
  }

  setServer(serverId: string, serverName: string, offers: ServerOffers): void {
    const all = offersOf(serverId, serverName, offers);
    this.#servers.set(serverId, all);
    const tools = all.map((offer) => {
      const tool = asTool(offer);
      this.#offerOf.set(tool, offer);
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
  search(query: string, limit: number, server?: string): readonly Offer[] {
    const { hits } = this.#search.search({ query, limit, ...(server === undefined ? {} : { server }) });
    const wanted = new Set(this.#maker.termsOf(query));
    const fitting = hits.filter(({ tool, match }) => match !== 'words' || this.#covers(tool, wanted));
    return fitting.map(({ tool }) => this.#offerOf.get(tool.tool)).filter((offer) => offer !== undefined);
  }

  /** Whether an offer has enough of what is asked for: it stands beside tools, which a search is for in the first place. */
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

function offersOf(serverId: string, serverName: string, offers: ServerOffers): Offer[] {
  const own = { serverId, serverName };
  return [
    ...offers.resources.map((resource) => {
      const summary = summaryOf(resource, `Resource ${resource.name} from ${serverName}`);
      return { ...own, kind: 'resource', resource, summary } as const;
    }),
    ...offers.templates.map((template) => {
      const summary = summaryOf(template, `Resources ${template.name} from ${serverName}`);
      return { ...own, kind: 'template', template, summary } as const;
    }),
    ...offers.prompts.map((prompt) => {
      const summary = summaryOf(prompt, `Prompt ${prompt.name} from ${serverName}`);
      return { ...own, kind: 'prompt', prompt, summary } as const;
    }),
  ];
}

function summaryOf(offer: { readonly title?: string; readonly description?: string }, otherwise: string): string {
  const text = offer.description?.trim() || offer.title?.trim() || otherwise;
  return cutAtWord(text.replaceAll(/\s+/g, ' '), SUMMARY_LIMIT);
}

function asTool(offer: Offer): McpTool {
  switch (offer.kind) {
    case 'resource':
      return toolOf(offer.resource.uri, offer.resource, offer.resource.mimeType);
    case 'template':
      return toolOf(offer.template.uriTemplate, offer.template, offer.template.mimeType);
    case 'prompt': {
      const properties = (offer.prompt.arguments ?? []).map(({ name, description = '' }) => [name, { description }]);
      return {
        ...toolOf(offer.prompt.name, offer.prompt, ''),
        inputSchema: { properties: Object.fromEntries(properties) as JsonObject },
      };
    }
  }
}

function toolOf(
  key: string,
  offer: { readonly name: string; readonly title?: string; readonly description?: string },
  mimeType = '',
): McpTool {
  return {
    name: key,
    title: `${offer.name} ${offer.title ?? ''}`,
    description: `${offer.description ?? ''} ${mimeType}`,
    inputSchema: {},
    annotations: {},
  };
}
