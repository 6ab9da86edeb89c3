import type { Rows } from './edit.ts';

/** Presets of a workspace. */
export const presets: Rows = {
  'A workspace’s preset has the name of one of the user’s': [
    [
      'src/catalog/presets/readPresets.ts',
      "return [...own, ...presetsIn(workspace, 'workspace').filter(({ name }) => !names.has(name))];",
      "return [...presetsIn(workspace, 'workspace'), ...own];",
    ],
  ],
  'A repository adds servers to the preset that the user chose': [
    ['src/catalog/presets/activePreset.ts', 'now.entries.filter(isSeen)', 'now.entries'],
  ],
  'A repository takes away the preset that the user chose': [
    ['src/catalog/presets/activePreset.ts', 'now?.entries ?? chosen.last', "now?.entries ?? ['*']"],
  ],
  'A preset names a server that isn’t approved, or that the user disabled': [
    [
      'src/host/chosenPresets.ts',
      'if (!isUnused) return definition;',
      "if (!isUnused) return { ...definition, status: { kind: 'ready' } };",
    ],
  ],
  'A preset whose patterns take for ever to compare with names': [
    ['src/base/text/glob.ts', 'const MAX_EFFORT = 400_000;', 'const MAX_EFFORT = Infinity;'],
  ],
  'A folder’s file or settings choose a preset': [
    [
      'src/host/chosenPresets.ts',
      'const chosen = readChosen(this.#ports.store.get(PRESET_KEY));',
      'const chosen = readChosen(this.#ports.store.get(PRESET_KEY)) ?? this.all[0];',
    ],
  ],
  'A repository offers a preset of its own to custom agents': [
    ['src/catalog/presets/readPresets.ts', "customAgents === true && scope === 'user'", 'customAgents === true'],
  ],
  'A custom agent calls what its preset lacks': [
    [
      'src/bridge/gateway/presets/presetUpstream.ts',
      'return all.filter((tool) => filter.has(ownToolNames(tool)));',
      'return filter ? all : [];',
    ],
  ],
};
