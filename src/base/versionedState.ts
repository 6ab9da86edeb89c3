import { isRecord } from './json/json.ts';
import type { KeyValueStore, ListedStore } from './keyValueStore.ts';
import type { Logger } from './log.ts';

/** Brings a value into the form of the next version. Pure; what it is given may have any shape. */
export type Upgrade = (value: unknown) => unknown;

/**
 * How values of earlier versions become those of this one, by key, or by what several keys begin with. The first upgrade makes
 * version 2 of version 1. What has no upgrade is version 1.
 */
export type Upgrades = Readonly<Record<string, readonly Upgrade[]>>;

/** Whether a later version than this one wrote it: then it must stay as it is. */
export function isNewer(stored: unknown, version: number): boolean {
  return isRecord(stored) && typeof stored['version'] === 'number' && stored['version'] > version;
}

/**
 * A store whose values have versions: `{ version, value }`; a value without one is of version 1. What an earlier version
 * wrote is upgraded when it is read, and kept so with the next change. What a later one wrote counts as absent and is left
 * alone: changes of it last as long as the object.
 */
export class VersionedStore implements ListedStore {
  readonly #store: KeyValueStore & Partial<ListedStore>;
  readonly #log: Logger;
  readonly #upgrades: Upgrades;
  /** Of later versions: what is in their place while this window lasts. */
  readonly #held = new Map<string, unknown>();

  constructor(store: KeyValueStore & Partial<ListedStore>, log: Logger, upgrades: Upgrades) {
    this.#store = store;
    this.#log = log;
    this.#upgrades = upgrades;
  }

  get(key: string): unknown {
    const stored = this.#store.get(key);
    if (this.#isLeftAlone(key, stored)) return this.#held.get(key);
    if (stored === undefined) return undefined;
    const { version, value } = isVersioned(stored) ? stored : { version: 1, value: stored };
    const upgrades = this.#upgradesOf(key).slice(version - 1);
    return upgrades.reduce<unknown>((from, upgrade) => upgrade(from), value);
  }

  async set(key: string, value: unknown): Promise<void> {
    if (this.#isLeftAlone(key, this.#store.get(key))) this.#held.set(key, value);
    else await this.#store.set(key, value === undefined ? undefined : { version: this.#versionOf(key), value });
  }

  keys(): readonly string[] {
    return this.#store.keys?.() ?? [];
  }

  async load(): Promise<void> {
    await this.#store.load?.();
  }

  async flush(): Promise<void> {
    await this.#store.flush?.();
  }

  #isLeftAlone(key: string, stored: unknown): boolean {
    if (!isVersioned(stored) || !isNewer(stored, this.#versionOf(key))) return false;
    if (!this.#held.has(key)) {
      this.#held.set(key, undefined);
      this.#log.log(
        'warning',
        `“${key}” was saved by a later version of MCP Switchboard and stays as it is; changes last until the window closes.`,
      );
    }
    return true;
  }

  #versionOf(key: string): number {
    return this.#upgradesOf(key).length + 1;
  }

  #upgradesOf(key: string): readonly Upgrade[] {
    const name = Object.keys(this.#upgrades).find((each) => key === each || (/\W$/.test(each) && key.startsWith(each)));
    return (name !== undefined && this.#upgrades[name]) || [];
  }
}

function isVersioned(stored: unknown): stored is { readonly version: number; readonly value: unknown } {
  return (
    isRecord(stored) && Number.isInteger(stored['version']) && 'value' in stored && Object.keys(stored).length === 2
  );
}
