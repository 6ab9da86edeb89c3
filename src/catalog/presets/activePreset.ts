// Loaded where a preset is active, or with the first command about presets.
import { isRecord } from '../../base/json/json.ts';
import { matchesGlob } from '../../base/text/glob.ts';
import { serverSpellings, type NamedServer } from '../names/serverNames.ts';
import { isPresetName, type Preset } from './readPresets.ts';

/** What the user chose: the preset's name, and what was in it. */
export interface ChosenPreset {
  readonly name: string;
  /** What may count: a workspace's preset as it was when the user chose it, one of the user's own as they wrote it last. */
  readonly entries: readonly string[];
  /** What was in force last. */
  readonly last: readonly string[];
}

/**
 * The user's answer as it was kept; `undefined` where it isn't one.
 * @param kept from the workspace's state
 */
export function readChosen(kept: unknown): ChosenPreset | undefined {
  if (!isRecord(kept) || typeof kept['name'] !== 'string' || !isPresetName(kept['name'])) return undefined;
  const entries = textsIn(kept['entries']) ?? [];
  return { name: kept['name'], entries, last: textsIn(kept['last']) ?? entries };
}

/** A preset as it is kept when the user chooses it. */
export function asChosen({ name, entries }: Preset): ChosenPreset {
  return { name, entries, last: entries };
}

function textsIn(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined;
}

/** Which tools of a server a preset has: all, or those whose own names fit one of the patterns, which are none at all where it lacks the server. */
export type PresetTools = 'all' | readonly string[];

const NO_TOOLS: readonly string[] = [];
/** What separates a server's name from a tool's. */
const SEPARATORS = /\/|__/g;
const WILDCARD = /[*?]/;
/** Names with more of them are nobody's. */
const MAX_SEPARATORS = 4;

/**
 * The preset that is in force. What the user writes in their own settings counts as it is now. Of a workspace's preset, only
 * what was in it when the user chose it counts, and is still in it: whoever changes the workspace's files can take something
 * away and never adds anything. A preset that is gone goes on as it was last: nothing comes back by itself.
 */
export class ActivePreset {
  readonly name: string;
  /** Absent where no setting defines it any more. */
  readonly scope: Preset['scope'] | undefined;
  readonly entries: readonly string[];
  /** The workspace has added entries since the user chose it: they don't count. */
  readonly hasGrown: boolean;
  /** What is to be kept of it, for when it is gone. */
  readonly kept: ChosenPreset;
  readonly #toolsOf = new Map<string, PresetTools>();

  constructor(chosen: ChosenPreset, presets: readonly Preset[]) {
    const now = presets.find(({ name }) => name === chosen.name);
    const isSeen = (entry: string): boolean => chosen.entries.includes(entry);
    this.name = chosen.name;
    this.scope = now?.scope;
    this.entries = now?.scope === 'workspace' ? now.entries.filter(isSeen) : (now?.entries ?? chosen.last);
    this.hasGrown = now?.scope === 'workspace' && !now.entries.every(isSeen);
    const mayCount = now?.scope === 'user' ? this.entries : chosen.entries;
    this.kept = { name: chosen.name, entries: mayCount, last: this.entries };
  }

  /** What of a server is in it. The same value for the same server. */
  toolsOf(server: NamedServer): PresetTools {
    const key = JSON.stringify([server.configuredName, server.name, server.part]);
    let tools = this.#toolsOf.get(key);
    if (tools === undefined) {
      tools = toolsIn(this.entries, serverSpellings(server));
      this.#toolsOf.set(key, tools);
    }
    return tools;
  }

  /** Whether both have the same effect. */
  equals(other: ActivePreset | undefined): boolean {
    return JSON.stringify([this.name, this.scope, this.entries, this.hasGrown]) === JSON.stringify(other && [other.name, other.scope, other.entries, other.hasGrown]); // prettier-ignore
  }
}

/** Whether a tool, by one of its own names, is among those that a preset has of its server. */
export function isAmong(tools: PresetTools, ownNames: readonly string[]): boolean {
  return tools === 'all' || tools.some((pattern) => ownNames.some((name) => matchesGlob(name, pattern)));
}

function toolsIn(entries: readonly string[], names: readonly string[]): PresetTools {
  const patterns: string[] = [];
  const isServer = (pattern: string): boolean =>
    names.includes(pattern) || (WILDCARD.test(pattern) && names.some((name) => matchesGlob(name, pattern)));
  for (const entry of entries) {
    if (isServer(entry)) return 'all';
    for (const { 0: separator, index } of [...entry.matchAll(SEPARATORS)].slice(0, MAX_SEPARATORS)) {
      const pattern = entry.slice(index + separator.length);
      if (pattern === '' || !isServer(entry.slice(0, index))) continue;
      if (pattern === '*') return 'all';
      patterns.push(pattern);
    }
  }
  return patterns.length > 0 ? patterns : NO_TOOLS;
}
