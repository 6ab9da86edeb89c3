import type { KeyValueStore } from '../base/keyValueStore.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { ServerPartStore } from '../catalog/names/namePartStore.ts';
import type { ActivePreset } from '../catalog/presets/activePreset.ts';
import type { PresetTools } from '../catalog/presets/presetPatterns.ts';
import type { PresetSettings } from '../catalog/presets/readPresets.ts';
import type { ServerDefinition } from '../servers/serverTypes.ts';
import type { ServerView } from './views/serverView.ts';
import type { ChosenPresets } from './chosenPresets.ts';

export const PRESET_KEY = 'presets.active';

export interface PresetPorts {
  /** Lasts as long as the workspace: a repository can't write into it, so no folder chooses a preset. */
  readonly store: KeyValueStore;
  readonly settings: () => PresetSettings | undefined;
  /** What callable names call the servers; absent before the catalog is open. */
  readonly parts: () => ServerPartStore | undefined;
  /** Another preset is in force, or other entries of it. */
  readonly changed: () => void;
}

/** Which preset the user chose for this workspace. What reads presets is loaded where one is chosen, or looked for. */
export class WorkspacePreset {
  readonly #ports: PresetPorts;
  #chosen: ChosenPresets | undefined;

  constructor(ports: PresetPorts) {
    this.#ports = ports;
  }

  /** The preset in force; `undefined`: all servers are used. */
  get active(): ActivePreset | undefined {
    return this.#chosen?.active;
  }

  /** What the settings say of presets. */
  get settings(): PresetSettings {
    return this.#ports.settings() ?? { user: undefined, workspace: undefined };
  }

  /** Which of a server's tools it has; `undefined`: all. */
  toolsOf(definition: ServerDefinition): PresetTools | undefined {
    return this.#chosen?.toolsOf(definition);
  }

  /** Servers as it leaves them: one that would run and that it lacks isn't used. */
  narrowed(definitions: ServerDefinition[]): ServerDefinition[] {
    return this.#chosen?.narrowed(definitions) ?? definitions;
  }

  /** A server with those of its tools that it has. */
  seen(view: ServerView, catalog: Catalog): ServerView {
    return this.#chosen?.seen(view, catalog) ?? view;
  }

  /** To be awaited before a server may start. */
  async open(): Promise<void> {
    if (this.#ports.store.get(PRESET_KEY) !== undefined) await this.choices();
  }

  /** The presets, and the choice among them. */
  async choices(): Promise<ChosenPresets> {
    const { ChosenPresets: Chosen } = await import('./chosenPresets.ts');
    return (this.#chosen ??= new Chosen(this.#ports));
  }

  /** The presets may be others. */
  settingsChanged(): void {
    this.#chosen?.settingsChanged();
  }
}
