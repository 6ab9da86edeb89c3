import { isRecord } from '../../../base/json/json.ts';
import type { KeyValueStore } from '../../../base/keyValueStore.ts';
import { serverNamedBy, type PermissionRule } from '../../../config/rules/permissionRules.ts';

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
  #owners: ReadonlyMap<string, string> = new Map();
  /** What `#owners` was made from. */
  #stored: unknown;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  /** Another one may have written since. */
  #current(): ReadonlyMap<string, string> {
    const stored = this.#store.get(STORE_KEY);
    if (stored === this.#stored) return this.#owners;
    const owners = Object.entries(isRecord(stored) ? stored : {});
    this.#stored = stored;
    this.#owners = new Map(owners.filter((each): each is [string, string] => typeof each[1] === 'string'));
    return this.#owners;
  }

  /**
   * Whether the name stands for this definition.
   * @param isOthers whether another server has more right to the name: it comes first while the name wasn't used yet
   */
  isFor(name: string, owner: Owner, isOthers: () => boolean): boolean {
    const known = this.#current().get(name);
    return known === undefined ? !isOthers() : known === textOf(owner);
  }

  /** From now on, the name stands for this definition. */
  async set(name: string, owner: Owner): Promise<void> {
    if (this.#current().get(name) === textOf(owner)) return;
    await this.#save(new Map(this.#current()).set(name, textOf(owner)));
  }

  /** What stood for a definition stands for the one that it has become, and so does its new name. */
  async rename(from: Owner & { readonly name: string }, to: Owner & { readonly name: string }): Promise<void> {
    const owners = [...this.#current()];
    if (!owners.some(([, owner]) => owner === textOf(from))) return;
    const moved = owners.filter(([, owner]) => owner !== textOf(from));
    await this.#save(new Map([...moved, [to.name, textOf(to)]]));
  }

  async #save(owners: ReadonlyMap<string, string>): Promise<void> {
    await this.#store.set(STORE_KEY, Object.fromEntries(owners));
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
