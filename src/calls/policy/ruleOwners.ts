import { isRecord } from '../../base/json/json.ts';
import type { KeyValueStore } from '../../base/keyValueStore.ts';
import { serverNamedBy, type PermissionRule } from '../../config/rules/permissionRules.ts';

const STORE_KEY = 'rules.owners';

/** A server's definition, as what allows is bound to it. */
export interface Owner {
  readonly serverId: string;
  readonly fingerprint: string;
}

/**
 * Which definition each server's name in an `allow` rule, or in a setting that loosens, stands for: the one that it was
 * first used with. A name alone says nothing: another folder, or another file, can take it.
 */
export class RuleOwners {
  readonly #store: KeyValueStore;
  readonly #owners: Map<string, string>;

  constructor(store: KeyValueStore) {
    this.#store = store;
    const stored = store.get(STORE_KEY);
    const owners = Object.entries(isRecord(stored) ? stored : {});
    this.#owners = new Map(owners.filter((each): each is [string, string] => typeof each[1] === 'string'));
  }

  /**
   * Whether the name stands for this definition.
   * @param isOthers whether another server has more right to the name: it comes first while the name wasn't used yet
   */
  isFor(name: string, owner: Owner, isOthers: () => boolean): boolean {
    const known = this.#owners.get(name);
    return known === undefined ? !isOthers() : known === textOf(owner);
  }

  /** From now on, the name stands for this definition. */
  async set(name: string, owner: Owner): Promise<void> {
    if (this.#owners.get(name) === textOf(owner)) return;
    this.#owners.set(name, textOf(owner));
    await this.#store.set(STORE_KEY, Object.fromEntries(this.#owners));
  }
}

/** The name of a server that an `allow` rule has; `undefined` for one that stands in the server's own definition. */
export function serverOfRule({ source, server, tool }: PermissionRule): string | undefined {
  if (source === 'entry') return undefined;
  return server?.replace(/^mcp__/, '') ?? serverNamedBy(tool);
}

function textOf({ serverId, fingerprint }: Owner): string {
  return `${serverId}\n${fingerprint}`;
}
