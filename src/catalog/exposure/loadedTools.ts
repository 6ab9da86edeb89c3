import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { matchesGlob } from '../../base/text/glob.ts';
import type { Catalog } from '../catalog.ts';
import { underlyingOf, type CatalogTool } from '../catalogTool.ts';

/** Which tools are in the model's own list beside those that the exposure puts there. */
export interface LoadingRules {
  /** Always (setting `alwaysLoadTools`): globs of the names of tools, as `toolSpellings` has them. */
  readonly alwaysLoad: readonly string[];
  /** Never but by being found, called or picked (setting `searchOnlyTools`): globs of the same names. They win. */
  readonly searchOnly: readonly string[];
  /** Tools that were found or called (setting `loadFoundTools`). */
  readonly loadFound: boolean;
  /** How many tools may join by being found, called or picked; the one used longest ago goes (setting `maxLoadedTools`). */
  readonly maxLoaded: number;
}

export const DEFAULT_LOADING: LoadingRules = { alwaysLoad: [], searchOnly: [], loadFound: false, maxLoaded: 20 };

/** Whether a tool is in the model's list from the start: the rules, its entry or its server say so. */
export function isAlwaysLoaded(
  entry: CatalogTool,
  { alwaysLoad }: Pick<LoadingRules, 'alwaysLoad'>,
  spellings: (entry: CatalogTool) => readonly string[],
): boolean {
  if (entry.alwaysLoad === true || underlyingOf(entry).alwaysLoad === true) return true;
  return fitsAny(entry, alwaysLoad, spellings);
}

function fitsAny(
  entry: CatalogTool,
  patterns: readonly string[],
  spellings: (entry: CatalogTool) => readonly string[],
): boolean {
  if (patterns.length === 0) return false;
  const names = spellings(entry);
  return patterns.some((pattern) => names.some((name) => matchesGlob(name, pattern)));
}

export interface LoadedToolsPorts {
  readonly catalog: Catalog;
  rules(): LoadingRules;
  /** Told of the callable names that have just joined. */
  readonly onDidLoad?: (names: readonly string[]) => void;
}

/**
 * The tools of the model's own list that are there for themselves: those that always are, and those that joined because a
 * user picked them or because they were found or called. One that its server no longer lists is forgotten.
 */
export class LoadedTools implements Disposable {
  readonly #ports: LoadedToolsPorts;
  readonly #changed = new Emitter<void>();
  readonly #subscription: Disposable;
  /** By callable name, least recently used first: whether the user picked it. */
  readonly #joined = new Map<string, boolean>();

  constructor(ports: LoadedToolsPorts) {
    this.#ports = ports;
    this.#subscription = ports.catalog.onDidChange(() => this.#forgetLost());
  }

  /** Fires when tools joined or went. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  get rules(): LoadingRules {
    return this.#ports.rules();
  }

  /** Callable names of those that joined, least recently used first. */
  get joined(): readonly string[] {
    const { loadFound } = this.rules;
    return [...this.#joined].filter(([, isPicked]) => isPicked || loadFound).map(([name]) => name);
  }

  /** Whether the tool is in the model's list whatever the exposure is. */
  has(entry: CatalogTool): boolean {
    const isPicked = this.#joined.get(entry.name);
    return isPicked === true || (isPicked === false && this.rules.loadFound) || this.#isAlways(entry);
  }

  #isAlways(entry: CatalogTool): boolean {
    return !this.#fitsSearchOnly(entry) && isAlwaysLoaded(entry, this.rules, this.#spellings);
  }

  /** Whether the exposure may not put the tool into the list. */
  isSearchOnly(entry: CatalogTool): boolean {
    return this.#fitsSearchOnly(entry) && !this.has(entry);
  }

  #fitsSearchOnly(entry: CatalogTool): boolean {
    return fitsAny(entry, this.rules.searchOnly, this.#spellings);
  }

  readonly #spellings = (entry: CatalogTool): readonly string[] => this.#ports.catalog.spellingsOf(entry);

  /** Notes that tools were found or called: they join where the rules say so; those that have joined count as just used. */
  use(names: readonly string[]): void {
    const counted = this.rules.loadFound ? names : names.filter((name) => this.#joined.has(name));
    if (counted.length > 0) this.#join(counted, false);
  }

  /**
   * Puts tools into the list, whatever the rules say about found tools: the user picked them.
   * @returns those of the callable names that weren't in it yet
   */
  load(names: readonly string[]): readonly string[] {
    return this.#join(names, true);
  }

  #join(names: readonly string[], isPicked: boolean): readonly string[] {
    const before = new Set(this.joined);
    for (const name of names) {
      const entry = this.#live(name);
      if (!entry || this.#isAlways(entry)) continue;
      const wasPicked = this.#joined.get(name) === true;
      this.#joined.delete(name);
      this.#joined.set(name, isPicked || wasPicked);
    }
    for (const name of this.#joined.keys()) {
      if (this.#joined.size <= this.rules.maxLoaded) break;
      this.#joined.delete(name);
    }
    const added = this.joined.filter((name) => !before.has(name));
    if (added.length > 0) {
      this.#ports.onDidLoad?.(added);
      this.#changed.fire();
    }
    return added;
  }

  /** The tool where its server lists it now, and not only in memory. */
  #live(name: string): CatalogTool | undefined {
    const entry = this.#ports.catalog.find(name);
    return entry?.cachedAt === undefined ? entry : undefined;
  }

  #forgetLost(): void {
    const lost = [...this.#joined.keys()].filter((name) => !this.#live(name));
    for (const name of lost) this.#joined.delete(name);
    if (lost.length > 0) this.#changed.fire();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}
