import { withTimeout } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { ServerConnection, Session } from '../../connection/connectionTypes.ts';
import { hasSkills } from '../skills/skillEntry.ts';
import type { PinnedItems } from './pinnedItems.ts';
import { listServerItems, type ServerItem } from './listServerItems.ts';
import { ServerItems } from './serverItems.ts';
import type { ToolSearchOptions } from '../search/toolSearch.ts';

/** How long a search waits for lists that are fetched for the first time, in milliseconds. */
const LIST_WAIT_MS = 1_000;
const LIST_CHANGES = new Set(['notifications/resources/list_changed', 'notifications/prompts/list_changed']);

export interface ServerItemFeedPorts {
  readonly clock: Clock;
  connections(): readonly ServerConnection[];
  /** The lists of prompts and of skills. */
  pinned(): Readonly<Record<'prompts' | 'skills', Pick<PinnedItems, 'list' | 'changesOf'>>>;
}

interface Listed {
  readonly session: Session;
  readonly news: Disposable;
  /** Resolves when its lists are in. */
  fetched: Promise<void>;
  isStale: boolean;
  /** When the time is over that the server gave its lists. */
  staleAt: number;
  /** What of its prompts and skills waited for a review then. */
  held: readonly object[];
}

/**
 * What connected servers item besides tools. Nothing is fetched before somebody searches; then each server's lists once,
 * and again in the next search after the server said that they changed.
 */
export class ServerItemFeed implements Disposable {
  readonly #ports: ServerItemFeedPorts;
  readonly #items: ServerItems;
  readonly #listed = new Map<string, Listed>();

  constructor(ports: ServerItemFeedPorts, options: ToolSearchOptions = {}) {
    this.#ports = ports;
    this.#items = new ServerItems(options);
  }

  /** What fits the query, best first; a server that takes too long is found the next time. */
  async search(query: string, limit: number, server?: string): Promise<readonly ServerItem[]> {
    this.#refresh();
    const fetched = Promise.all([...this.#listed.values()].map((listed) => listed.fetched));
    await withTimeout(fetched, LIST_WAIT_MS, this.#ports.clock, () => []);
    await this.#items.ready();
    return this.#items.search(query, limit, server);
  }

  #refresh(): void {
    const connected = new Map<string, ServerConnection>();
    for (const connection of this.#ports.connections())
      if (connection.session) connected.set(connection.id, connection);
    for (const [id, { session }] of this.#listed) if (connected.get(id)?.session !== session) this.#forget(id);
    for (const connection of connected.values()) this.#list(connection);
  }

  #list({ id, name, session, state }: ServerConnection): void {
    if (!session || state.kind !== 'connected') return;
    const { capabilities } = state.info;
    if (!capabilities['resources'] && !capabilities['prompts'] && !hasSkills(capabilities)) return;
    let listed = this.#listed.get(id);
    const { clock } = this.#ports;
    const { prompts, skills } = this.#ports.pinned();
    const heldNow = (): readonly object[] => [prompts.changesOf(id), skills.changesOf(id)];
    const held = heldNow();
    const isSame = listed?.held.every((each, index) => each === held[index]) === true;
    if (listed && isSame && !listed.isStale && clock.now() < listed.staleAt) return;
    const lists = { prompts: () => prompts.list(id, session), skills: () => skills.list(id, session) };
    const fetched = listServerItems(session, capabilities, lists).then((items) => {
      const current = this.#listed.get(id);
      if (current?.session !== session) return;
      current.staleAt = clock.now() + (items.freshForMs ?? Infinity);
      current.held = heldNow();
      this.#items.setServer(id, name, items);
    });
    if (listed) {
      listed.isStale = false;
      listed.staleAt = Infinity;
      listed.held = held;
      listed.fetched = fetched;
      return;
    }
    const news = session.onNotification(({ method }) => {
      const known = this.#listed.get(id);
      if (known && LIST_CHANGES.has(method)) known.isStale = true;
    });
    listed = { session, news, fetched, isStale: false, staleAt: Infinity, held };
    this.#listed.set(id, listed);
  }

  #forget(id: string): void {
    this.#listed.get(id)?.news.dispose();
    this.#listed.delete(id);
    this.#items.removeServer(id);
  }

  dispose(): void {
    for (const id of [...this.#listed.keys()]) this.#forget(id);
    this.#items.dispose();
  }
}
