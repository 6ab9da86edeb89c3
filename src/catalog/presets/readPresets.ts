// Loaded where a preset is active, or with the first command about presets.
import { isRecord } from '../../base/json/json.ts';
import { oneLine } from '../../base/text/showInvisible.ts';

/** A named set of servers and tools. */
export interface Preset {
  readonly name: string;
  /** Who wrote it: the user in their settings, or whoever wrote the workspace's. */
  readonly scope: 'user' | 'workspace';
  readonly description?: string;
  /** `server` or `server/tool`, each with `*` and `?`. */
  readonly entries: readonly string[];
  /** The user offers it to custom agents; a workspace can't. */
  readonly isForCustomAgents?: true;
}

/** The values of the setting `mcpSwitchboard.presets`. */
export interface PresetSettings {
  readonly user: unknown;
  readonly workspace: unknown;
}

/** A longer name, or one with more entries, isn't a preset that anybody reads before choosing it. */
const MAX_NAME = 60;
export const MAX_ENTRIES = 2_000;
/** In UTF-16 units. */
export const MAX_ENTRY = 300;
const MAX_PRESETS = 200;

/**
 * The presets that the settings define, the user's first. A workspace's preset never stands for one of the user's: of two of
 * one name, the user's counts. What isn't a name or an entry is left out, so that a preset never has more than it says.
 */
export function readPresets({ user, workspace }: PresetSettings): readonly Preset[] {
  const own = presetsIn(user, 'user');
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...presetsIn(workspace, 'workspace').filter(({ name }) => !names.has(name))];
}

/** Whether a preset with these entries is read as it is, and not cut. */
export function canHave(entries: readonly string[]): boolean {
  return entries.length <= MAX_ENTRIES && entries.every(isEntry);
}

/** Whether a preset may have this name: one line, without anything that hides, at most 60 characters. */
export function isPresetName(name: string): boolean {
  return name !== '' && name === name.trim() && name.length <= MAX_NAME && oneLine(name) === name;
}

function presetsIn(value: unknown, scope: Preset['scope']): readonly Preset[] {
  if (!isRecord(value)) return [];
  return Object.entries(value)
    .slice(0, MAX_PRESETS)
    .flatMap(([name, preset]): Preset[] => {
      if (!isPresetName(name) || !isRecord(preset)) return [];
      const { tools, description, customAgents } = preset;
      const entries = Array.isArray(tools) ? tools.filter(isEntry).slice(0, MAX_ENTRIES) : [];
      return [
        {
          name,
          scope,
          entries,
          ...(typeof description === 'string' ? { description } : {}),
          ...(customAgents === true && scope === 'user' ? { isForCustomAgents: true } : {}),
        },
      ];
    });
}

function isEntry(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_ENTRY;
}
