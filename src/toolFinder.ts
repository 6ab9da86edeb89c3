import { delay, withTimeout } from './base/async.ts';
import type { Clock } from './base/clock.ts';
import { DisposableStore, toDisposable, type Disposable } from './base/disposable.ts';
import { READY_WAIT_MS } from './calls/settings.ts';
import type { Catalog } from './catalog/catalog.ts';
import type { SearchQuery, SearchResult, ToolSearch } from './catalog/search.ts';
import type { UnavailableServer } from './catalog/types.ts';
import type { ConnectionPool } from './connection/pool.ts';
import { describeState, type ServerView } from './serverView.ts';

/** A search's answer, with the servers that could not take part. */
export interface FoundTools extends SearchResult {
  readonly unavailable: readonly UnavailableServer[];
}

export interface ToolFinderPorts {
  readonly catalog: Catalog;
  readonly pool: ConnectionPool;
  readonly clock: Clock;
  views(): readonly ServerView[];
}

/** Searches the catalog, with an eye on the servers that are still on their way. */
export class ToolFinder implements Disposable {
  readonly #ports: ToolFinderPorts;
  readonly #disposables = new DisposableStore();
  #search: Promise<ToolSearch> | undefined;

  constructor(ports: ToolFinderPorts) {
    this.#ports = ports;
  }

  /** As `Host.search`. */
  async search(query: SearchQuery, signal?: AbortSignal): Promise<FoundTools> {
    await this.settled(signal);
    this.#search ??= this.#openSearch();
    const search = await this.#search;
    await search.ready();
    return { ...search.search(query), unavailable: this.unavailable };
  }

  /** As `Host.unavailable`. */
  get unavailable(): readonly UnavailableServer[] {
    return this.#ports
      .views()
      .filter(({ state }) => ['connecting', 'pending', 'failed', 'needs-auth'].includes(state.kind))
      .map(({ definition, state }) => ({ serverName: definition.name, state: describeState(state) }));
  }

  /** As `Host.settled`. */
  async settled(signal?: AbortSignal): Promise<void> {
    const { catalog, pool, clock } = this.#ports;
    // Of those that are remembered, the tools are known already.
    const connecting = (): boolean =>
      pool.all.some(({ id, state }) => state.kind === 'connecting' && catalog.toolsOf(id).length === 0);
    if (!connecting()) return;
    const cleanup = new DisposableStore();
    const done = new Promise<void>((resolve) => {
      cleanup.add(pool.onDidChangeState(() => !connecting() && resolve()));
      const abort = (): void => resolve();
      signal?.addEventListener('abort', abort, { once: true });
      cleanup.add(toDisposable(() => signal?.removeEventListener('abort', abort)));
    });
    await withTimeout(done, READY_WAIT_MS, clock, () => undefined);
    cleanup.dispose();
    // The tools of a server that has just connected are listed in the same turn of its state change.
    await delay(0, clock);
  }

  async #openSearch(): Promise<ToolSearch> {
    const { ToolSearch: Search } = await import('./catalog/search.ts');
    const options = { loadSynonyms: () => import('./catalog/synonymTable.ts') };
    return this.#disposables.add(new Search(this.#ports.catalog, options));
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
