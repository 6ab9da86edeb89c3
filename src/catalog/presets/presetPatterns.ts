// Loaded where a preset is active, or with the first command about presets.
import { Glob, MAX_EFFORT, WILDCARD, type Effort } from '../../base/text/glob.ts';

/** Which tools of a server a preset has: all, or those whose own names fit one of the patterns, which are none at all where it lacks the server. */
export type PresetTools = 'all' | readonly string[];

const NO_TOOLS: readonly string[] = [];
/** What separates a server's name from a tool's. */
const SEPARATORS = /\/|__/g;
/** Names with more of them are nobody's. */
const MAX_SEPARATORS = 4;

/** The tools of one server that a preset has. */
export class PresetFilter {
  readonly #plain: ReadonlySet<string>;
  readonly #globs: readonly Glob[];
  readonly #effort: Effort = { left: MAX_EFFORT };

  constructor(tools: readonly string[]) {
    this.#plain = new Set(tools);
    this.#globs = globsOf(tools);
  }

  /** Whether a tool, by one of its own names, is among them. Not, where comparing it would take too long. */
  has(ownNames: readonly string[]): boolean {
    if (ownNames.some((name) => this.#plain.has(name))) return true;
    const names = [...new Set(ownNames)];
    return !this.isCut && this.#globs.some((glob) => names.some((name) => glob.matches(name, this.#effort)));
  }

  /** Whether not all could be compared. */
  get isCut(): boolean {
    return this.#effort.left < 0;
  }
}

/** What an entry of a preset has of the servers that it names. */
interface Part {
  readonly at: number;
  readonly server: string;
  /** A pattern of tools. */
  readonly tools: string;
}

/** The entries of a preset, read once for all servers. */
export class PresetPatterns {
  readonly #plain: ReadonlyMap<string, readonly Part[]>;
  readonly #globs: readonly { readonly glob: Glob; readonly part: Part }[];
  readonly #effort: Effort = { left: MAX_EFFORT };

  constructor(entries: readonly string[]) {
    const parts = entries.flatMap(partsOf);
    const isGlob = ({ server }: Part): boolean => WILDCARD.test(server);
    this.#plain = Map.groupBy(parts, ({ server }) => server);
    this.#globs = parts.filter(isGlob).map((part) => ({ glob: new Glob(part.server), part }));
  }

  /** What is in it of the server that is called so. Nothing, where comparing its names would take too long. */
  toolsOf(serverNames: readonly string[]): PresetTools {
    const names = [...new Set(serverNames)];
    const named = names.flatMap((name) => this.#plain.get(name) ?? []);
    const globs = this.isCut ? [] : this.#globs;
    const fitting = globs.filter(({ glob }) => names.some((name) => glob.matches(name, this.#effort)));
    const parts = [...new Set([...named, ...fitting.map(({ part }) => part)])];
    if (parts.some(({ tools }) => tools === '*')) return 'all';
    return parts.length === 0 ? NO_TOOLS : parts.toSorted((one, other) => one.at - other.at).map(({ tools }) => tools);
  }

  /** Whether not all servers could be compared. */
  get isCut(): boolean {
    return this.#effort.left < 0;
  }
}

function globsOf(patterns: readonly string[]): readonly Glob[] {
  return patterns.filter((pattern) => WILDCARD.test(pattern)).map((pattern) => new Glob(pattern));
}

/** An entry as a server, and cut in two wherever the name of a server may end. */
function partsOf(entry: string, at: number): Part[] {
  const cuts = [...entry.matchAll(SEPARATORS)].slice(0, MAX_SEPARATORS);
  const parts = cuts.map(({ 0: { length }, index }) => ({
    server: entry.slice(0, index),
    tools: entry.slice(index + length),
  }));
  return [
    { at, server: entry, tools: '*' },
    ...parts.filter(({ tools }) => tools !== '').map((part) => ({ at, ...part })),
  ];
}
