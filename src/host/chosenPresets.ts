// Loaded where a preset is active, or with the first command about presets.
import { say } from '../base/say.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { underlyingOf } from '../catalog/catalogTool.ts';
import type { NamedServer } from '../catalog/names/serverNames.ts';
import { partOwnerOf } from '../catalog/names/namePartStore.ts';
import { ActivePreset, asChosen, readChosen } from '../catalog/presets/activePreset.ts';
import type { PresetTools } from '../catalog/presets/presetPatterns.ts';
import { readPresets, type Preset } from '../catalog/presets/readPresets.ts';
import { SESSION_SOURCE } from '../servers/addedServers.ts';
import type { ServerDefinition } from '../servers/serverTypes.ts';
import type { ServerView } from './views/serverView.ts';
import { PRESET_KEY, type PresetPorts } from './workspacePreset.ts';

/** The presets of the settings, and the one that the user chose for this workspace. */
export class ChosenPresets {
  readonly #ports: PresetPorts;
  #active: ActivePreset | undefined;

  constructor(ports: PresetPorts) {
    this.#ports = ports;
    this.#read();
  }

  /** The preset in force; `undefined`: all servers are used. */
  get active(): ActivePreset | undefined {
    return this.#active;
  }

  /** The presets that can be chosen. */
  get all(): readonly Preset[] {
    return readPresets(this.#ports.settings() ?? { user: undefined, workspace: undefined });
  }

  /** Puts a preset in force, as it is now; `undefined`: all servers are used. */
  async choose(preset: Preset | undefined): Promise<void> {
    // The store answers with the new value as soon as writing has begun.
    const written = this.#ports.store.set(PRESET_KEY, preset && asChosen(preset));
    this.settingsChanged();
    await written;
  }

  /** The presets may be others. */
  settingsChanged(): void {
    if (this.#read()) this.#ports.changed();
  }

  /** Which of a server's tools the preset has; `undefined`: all. What the user tries for this session isn't in any. */
  toolsOf(definition: ServerDefinition): PresetTools | undefined {
    return this.#toolsOf(definition, () => this.#partOf(definition));
  }

  /** A server by each name that entries have for it. */
  named(definition: ServerDefinition): NamedServer {
    const { name, entry } = definition;
    return { configuredName: entry.name, name, part: this.#partOf(definition) ?? entry.name };
  }

  /** Servers as the preset leaves them: one that would run and that it lacks isn't used. Nothing is ever added. */
  narrowed(definitions: ServerDefinition[]): ServerDefinition[] {
    if (!this.#active) return definitions;
    const reason = say`not in the preset “${this.#active.name}”`;
    // Which part a server gets depends on the others, and it is settled only after this.
    const parts = this.#ports.parts()?.previewAll(definitions);
    return definitions.map((definition) => {
      const isUnused =
        definition.status.kind === 'ready' && this.#toolsOf(definition, () => parts?.get(definition.id))?.length === 0;
      if (!isUnused) return definition;
      return { ...definition, status: { kind: 'disabled', by: 'preset', reason } };
    });
  }

  #partOf(definition: ServerDefinition): string | undefined {
    return this.#ports.parts()?.previewOf(partOwnerOf(definition));
  }

  #toolsOf({ name, entry }: ServerDefinition, part: () => string | undefined): PresetTools | undefined {
    if (!this.#active || entry.source === SESSION_SOURCE) return undefined;
    return this.#active.toolsOf({ configuredName: entry.name, name, part: part() ?? entry.name });
  }

  /** A server with those of its tools that the preset has, by their own name or as custom tools. */
  seen(view: ServerView, catalog: Catalog): ServerView {
    const { definition } = view;
    if (this.toolsOf(definition)?.length === 0) return { ...view, isOutsidePreset: true };
    const outside = catalog.toolsOutsidePresetOf(definition.id);
    if (outside.length === 0) return view;
    const left = new Set(outside.map((tool) => underlyingOf(tool).name));
    for (const tool of [...catalog.toolsOf(definition.id), ...catalog.appToolsOf(definition.id)])
      left.delete(underlyingOf(tool).name);
    return { ...view, tools: view.tools.filter(({ name }) => !left.has(name)) };
  }

  /** @returns whether another preset is in force than before */
  #read(): boolean {
    const chosen = readChosen(this.#ports.store.get(PRESET_KEY));
    const active = chosen && new ActivePreset(chosen, this.all);
    if (active && JSON.stringify(active.kept) !== JSON.stringify(chosen))
      void this.#ports.store.set(PRESET_KEY, active.kept);
    if (active ? active.equals(this.#active) : !this.#active) return false;
    this.#active = active;
    return true;
  }
}
