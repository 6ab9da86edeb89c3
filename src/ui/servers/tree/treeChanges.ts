import type { Host } from '../../../host/host.ts';
import { bannersOf } from './banners.ts';
import { brokenSources } from './serverChildren.ts';

/** Which rows are another since the editor was last told. */
export class TreeChanges {
  readonly #host: Host;
  readonly #order: () => readonly string[];
  readonly #isOpen: (serverId: string) => boolean;
  /** By server: what its rows were made of. */
  #servers: ReadonlyMap<string, readonly unknown[]> = new Map();
  #root = '';

  /**
   * @param order which rows there are and in what order, where that depends on more than the definitions
   * @param isOpen whether the tools of a server are shown
   */
  constructor(host: Host, order: () => readonly string[], isOpen: (serverId: string) => boolean) {
    this.#host = host;
    this.#order = order;
    this.#isOpen = isOpen;
  }

  /** Ids of the servers whose rows are another now; `all` where other rows are there, or in another order. */
  next(): readonly string[] | 'all' {
    const before = this.#servers;
    const { definitions } = this.#host.servers;
    this.#servers = new Map(definitions.map(({ id }) => [id, this.#partsOf(id)]));
    const root = this.#rootText();
    const isSame = root === this.#root;
    this.#root = root;
    if (!isSame) return 'all';
    const isNew = ([id, parts]: [string, readonly unknown[]]): boolean => {
      const old = before.get(id);
      return parts.some((part, index) => part !== old?.[index]);
    };
    return [...this.#servers].filter(isNew).map(([id]) => id);
  }

  #rootText(): string {
    const { servers, config } = this.#host;
    const files = brokenSources(config.snapshot).map(({ source, problems }) => `${source.id} ${problems[0]?.message}`);
    return [
      ...[...bannersOf(this.#host)].flat(),
      ...files,
      ...servers.definitions.map(({ id }) => id),
      ...this.#order(),
    ].join('\n');
  }

  /** What the rows of a server and its tools are made of. */
  #partsOf(id: string): readonly unknown[] {
    const { catalog, feed, pool, servers, signIns, loaded } = this.#host;
    const connection = pool.get(id);
    const signIn = signIns.view(id);
    const isOpen = this.#isOpen(id);
    return [
      servers.get(id),
      connection?.state,
      connection?.leftOut,
      signIn?.off,
      signIn?.account?.label,
      catalog.toolsOf(id),
      catalog.problemsOf(id),
      feed
        .openChangesOf(id)
        .map(({ of, change }) => `${of} ${change.name}`)
        .join('\n'),
      // The rows of tools warn of those of other servers that look alike, and say which the model has.
      isOpen ? catalog.tools : undefined,
      isOpen ? loaded.joined.join('\n') : undefined,
    ];
  }
}
