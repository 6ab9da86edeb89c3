// Loaded where a preset is active, or with the first command about presets.
import { isRecord } from '../../base/json/json.ts';
import { serverSpellings, type NamedServer } from '../names/serverNames.ts';
import { PresetPatterns, type PresetTools } from './presetPatterns.ts';
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
  readonly #patterns: PresetPatterns;

  constructor(chosen: ChosenPreset, presets: readonly Preset[]) {
    const now = presets.find(({ name }) => name === chosen.name);
    const seen = new Set(chosen.entries);
    const isSeen = (entry: string): boolean => seen.has(entry);
    this.name = chosen.name;
    this.scope = now?.scope;
    this.entries = now?.scope === 'workspace' ? now.entries.filter(isSeen) : (now?.entries ?? chosen.last);
    this.hasGrown = now?.scope === 'workspace' && !now.entries.every(isSeen);
    const mayCount = now?.scope === 'user' ? this.entries : chosen.entries;
    this.kept = { name: chosen.name, entries: mayCount, last: this.entries };
    this.#patterns = new PresetPatterns(this.entries);
  }

  /** It has more patterns than can be held against the names of all servers: those that were not compared aren't in it. */
  get isCut(): boolean {
    return this.#patterns.isCut;
  }

  /** What of a server is in it. The same value for the same server. */
  toolsOf(server: NamedServer): PresetTools {
    const key = JSON.stringify([server.configuredName, server.name, server.part]);
    let tools = this.#toolsOf.get(key);
    if (tools === undefined) {
      tools = this.#patterns.toolsOf(serverSpellings(server));
      this.#toolsOf.set(key, tools);
    }
    return tools;
  }

  /** Whether both have the same effect. */
  equals(other: ActivePreset | undefined): boolean {
    return JSON.stringify([this.name, this.scope, this.entries, this.hasGrown]) === JSON.stringify(other && [other.name, other.scope, other.entries, other.hasGrown]); // prettier-ignore
  }
}
