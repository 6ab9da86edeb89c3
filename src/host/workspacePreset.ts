import type { KeyValueStore } from '../base/keyValueStore.ts';
import { SESSION_SOURCE } from '../servers/addedServers.ts';
import type { ServerDefinition } from '../servers/serverTypes.ts';
import type { ActivePreset, PresetTools } from '../catalog/presets/activePreset.ts';
import type { Preset, PresetSettings } from '../catalog/presets/readPresets.ts';

const STORE_KEY = 'presets.active';

type Rules = typeof import('../catalog/presets/activePreset.ts') & typeof import('../catalog/presets/readPresets.ts');

export interface PresetPorts {
  /** Lasts as long as the workspace: a repository can't write into it, so no folder chooses a preset. */
  readonly store: KeyValueStore;
  readonly settings: () => PresetSettings | undefined;
  /** What callable names call a server; `undefined` as long as it isn't called anything. */
  readonly partOf: (serverId: string) => string | undefined;
  /** Another preset is in force, or other entries of it. */
  readonly changed: () => void;
}

/** Which preset the user chose for this workspace. What reads presets is loaded where one is chosen, or looked for. */
export class WorkspacePreset {
  readonly #ports: PresetPorts;
  #rules: Rules | undefined;
  #active: ActivePreset | undefined;

  constructor(ports: PresetPorts) {
    this.#ports = ports;
  }

  /** The preset in force; `undefined`: all servers are used. */
  get active(): ActivePreset | undefined {
    return this.#active;
  }

  /** Which of a server's tools it has; `undefined`: all. What the user tries for this session isn't in any preset. */
  toolsOf({ id, name, entry }: ServerDefinition): PresetTools | undefined {
    if (!this.#active || entry.source === SESSION_SOURCE) return undefined;
    return this.#active.toolsOf({ configuredName: entry.name, name, part: this.#ports.partOf(id) ?? entry.name });
  }

  /** Why a server isn't used; `undefined` where it is. */
  whyUnused(definition: ServerDefinition): string | undefined {
    return this.toolsOf(definition)?.length === 0 ? `not in the preset “${this.#active?.name}”` : undefined;
  }

  /** To be awaited before a server may start. */
  async open(): Promise<void> {
    if (this.#ports.store.get(STORE_KEY) === undefined) return;
    await this.#load();
    this.#read();
  }

  /** The presets that can be chosen. */
  async all(): Promise<readonly Preset[]> {
    return (await this.#load()).readPresets(this.#settings());
  }

  /** Puts a preset in force, as it is now; `undefined`: all servers are used. */
  async choose(preset: Preset | undefined): Promise<void> {
    await this.#load();
    // The store answers with the new value as soon as writing has begun.
    const written = this.#ports.store.set(STORE_KEY, preset && { name: preset.name, entries: preset.entries });
    this.settingsChanged();
    await written;
  }

  /** The presets may be others. */
  settingsChanged(): void {
    if (this.#read()) this.#ports.changed();
  }

  #settings(): PresetSettings {
    return this.#ports.settings() ?? { user: undefined, workspace: undefined };
  }

  async #load(): Promise<Rules> {
    return (this.#rules ??= {
      ...(await import('../catalog/presets/activePreset.ts')),
      ...(await import('../catalog/presets/readPresets.ts')),
    });
  }

  /** @returns whether another preset is in force than before */
  #read(): boolean {
    if (!this.#rules) return false;
    const { ActivePreset: Active, readChosen, readPresets } = this.#rules;
    const chosen = readChosen(this.#ports.store.get(STORE_KEY));
    const active = chosen && new Active(chosen, readPresets(this.#settings()));
    if (active ? active.equals(this.#active) : !this.#active) return false;
    this.#active = active;
    return true;
  }
}
