import { delay, withTimeout } from '../base/async.ts';
import type { Clock } from '../base/clock.ts';
import { DisposableStore, toDisposable, type Disposable } from '../base/disposable.ts';
import { READY_WAIT_MS } from '../calls/callSettings.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { CatalogFeed } from '../catalog/catalogFeed.ts';
import type { ServerItemFeed } from '../catalog/items/serverItemFeed.ts';
import type { ServerItem } from '../catalog/items/listServerItems.ts';
import type { SearchQuery, SearchResult, ToolSearch } from '../catalog/search/toolSearch.ts';
import type { UnavailableServer } from '../catalog/unavailableLines.ts';
import type { ConnectionPool } from '../connection/connectionPool.ts';
import type { ServerView } from './views/serverView.ts';

/** A search's answer, with the servers that could not take part. */
export interface FoundTools extends SearchResult {
  readonly unavailable: readonly UnavailableServer[];
  /** Resources, templates, prompts and skills that fit, best first; none for a pattern or an empty query. */
  readonly items: readonly ServerItem[];
}

/** How many of those an answer has at most. */
const MAX_ITEMS = 5;

export interface ToolFinderPorts {
  readonly catalog: Catalog;
  readonly feed: CatalogFeed;
  readonly pool: ConnectionPool;
  readonly clock: Clock;
  views(): readonly ServerView[];
}

/** What is loaded with the first search. */
interface SearchParts {
  readonly tools: ToolSearch;
  readonly items: ServerItemFeed;
  readonly unavailable: () => readonly UnavailableServer[];
}

/** Searches the catalog, and waits for servers that are connecting. */
export class ToolFinder implements Disposable {
  readonly #ports: ToolFinderPorts;
  readonly #disposables = new DisposableStore();
  #search: Promise<SearchParts> | undefined;

  constructor(ports: ToolFinderPorts) {
    this.#ports = ports;
  }

  /** As `Host.search`. */
  async search(query: SearchQuery, signal?: AbortSignal): Promise<FoundTools> {
    await this.settled(signal);
    this.#search ??= this.#openSearch();
    const { tools, items, unavailable } = await this.#search;
    const isWords = query.regex !== true && query.query.trim() !== '';
    const found = isWords ? items.search(query.query, MAX_ITEMS, query.server) : [];
    await tools.ready();
    return { ...tools.search(query), items: await found, unavailable: unavailable() };
  }

  /** As `Host.settled`. */
  async settled(signal?: AbortSignal): Promise<void> {
    const { catalog, pool, clock } = this.#ports;
    // The tools of cached servers are known already.
    const connecting = (): boolean =>
      pool.all.some(({ id, state }) => state.kind === 'connecting' && catalog.toolsOf(id).length === 0);
    if (signal?.aborted === true) return;
    const wasConnecting = connecting();
    const cleanup = new DisposableStore();
    const connected = new Promise<void>((resolve) => {
      if (!wasConnecting) resolve();
      cleanup.add(pool.onDidChangeState(() => !connecting() && resolve()));
    });
    const aborted = new Promise<void>((resolve) => {
      const abort = (): void => resolve();
      signal?.addEventListener('abort', abort, { once: true });
      cleanup.add(toDisposable(() => signal?.removeEventListener('abort', abort)));
    });
    const known = Promise.all([connected, ...pool.all.map((connection) => connection.freshen())]);
    await withTimeout(Promise.race([known, aborted]), READY_WAIT_MS, clock, () => undefined);
    cleanup.dispose();
    if (!wasConnecting) return;
    // The tools of a server that has just connected are listed in the same turn of its state change.
    await delay(0, clock);
  }

  async #openSearch(): Promise<SearchParts> {
    const [{ ToolSearch: Search }, { ServerItemFeed: Feed }, { unavailableServers }] = await Promise.all([
      import('../catalog/search/toolSearch.ts'),
      import('../catalog/items/serverItemFeed.ts'),
      import('./unavailableServers.ts'),
    ]);
    const options = { loadSynonyms: () => import('../catalog/search/words/synonymTable.ts') };
    const { catalog, feed, clock, pool } = this.#ports;
    return {
      tools: this.#disposables.add(new Search(catalog, options)),
      items: this.#disposables.add(new Feed({ clock, connections: () => pool.all, pinned: () => feed })),
      unavailable: () => unavailableServers({ views: this.#ports.views(), catalog }),
    };
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
