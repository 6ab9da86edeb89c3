import { isRecord } from './json/json.ts';
import type { KeyValueStore, ListedStore } from './keyValueStore.ts';
import { messageOf } from './errors.ts';
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
  return isRecord(stored) && isVersion(stored['version']) && stored['version'] > version;
}

/**
 * A store whose values have versions: `{ version, value }`; a value without one is of version 1. What an earlier version
 * wrote is upgraded when it is read, and kept so with the next change. What a later one wrote, also while this window is open,
 * counts as absent and is left alone, and so is what can't be upgraded: changes of it last as long as the object.
 */
export class VersionedStore implements ListedStore {
  readonly #store: KeyValueStore & Partial<ListedStore>;
  readonly #log: Logger;
  readonly #upgrades: Upgrades;
  /** What is in the place of what is left alone, while this window lasts. */
  readonly #held = new Map<string, unknown>();
  /** By what is stored: what it was upgraded to. */
  readonly #upgraded = new WeakMap<object, { readonly value: unknown }>();
  /** The keys of which the log says why they are left alone. */
  readonly #told = new Set<string>();

  constructor(store: KeyValueStore & Partial<ListedStore>, log: Logger, upgrades: Upgrades) {
    this.#store = store;
    this.#log = log;
    this.#upgrades = upgrades;
  }

  get(key: string): unknown {
    const read = this.#read(key, this.#store.get(key));
    return read ? read.value : this.#held.get(key);
  }

  async set(key: string, value: unknown): Promise<void> {
    const isLeftAlone = (stored: unknown): boolean => this.#read(key, stored) === undefined;
    if (isLeftAlone(this.#store.get(key))) return void this.#held.set(key, value);
    const versioned = value === undefined ? undefined : { version: this.#versionOf(key), value };
    await this.#store.set(key, versioned, isLeftAlone);
  }

  /** Until this window sets or removes it, for as long as it lasts. */
  isUnreadable(key: string): boolean {
    if (this.#held.has(key)) return false;
    return this.#store.isUnreadable?.(key) === true || this.#read(key, this.#store.get(key)) === undefined;
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

  /** What is stored, in the form of this version; `undefined`: it is left alone. */
  #read(key: string, stored: unknown): { readonly value: unknown } | undefined {
    if (stored === undefined) return { value: undefined };
    const { version, value } = isVersioned(stored) ? stored : { version: 1, value: stored };
    if (version > this.#versionOf(key)) {
      if (this.#isFirst(key))
        this.#log.log(
          'warning',
          `“${key}” was saved by a later version of MCP Switchboard and stays as it is; changes last until the window closes.`,
        );
      return undefined;
    }
    const upgrades = this.#upgradesOf(key).slice(version - 1);
    if (upgrades.length === 0) return { value };
    const known = isObject(stored) ? this.#upgraded.get(stored) : undefined;
    if (known) return known;
    try {
      // A copy: what the store below has in memory goes into its next writing.
      const upgraded = { value: upgrades.reduce((from, upgrade) => upgrade(from), structuredClone(value)) };
      if (isObject(stored)) this.#upgraded.set(stored, upgraded);
      return upgraded;
    } catch (error) {
      if (this.#isFirst(key))
        this.#log.log(
          'warning',
          `“${key}” can’t be upgraded (${messageOf(error)}) and stays as it is; changes last until the window closes.`,
        );
      return undefined;
    }
  }

  #isFirst(key: string): boolean {
    return !this.#told.has(key) && this.#told.add(key).has(key);
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
  return isRecord(stored) && isVersion(stored['version']) && 'value' in stored && Object.keys(stored).length === 2;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isVersion(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1;
}
