import { sha256 } from '../../../base/json/json.ts';

/** What the editor's list of servers calls a preset that custom agents can use. */
export function presetLabel(name: string): string {
  return `Preset ${name}`;
}

/** How `tools` of a custom agent name all of it: the editor makes a reference of a server's label (seen in VS Code 1.139). */
export function presetReference(name: string): string {
  return `${presetLabel(name).toLowerCase().replaceAll(/\s+/g, '-')}/*`;
}

/** Its part of tool names: its own words, with a hash where they don't tell it from others. */
export function presetPart(name: string): string {
  const words = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
  const isPlain = /^[a-z0-9]+(?: [a-z0-9]+)*$/i.test(name) && words.length <= 20;
  return isPlain ? `preset_${words}` : `preset_${words.slice(0, 12)}_${sha256(name).slice(0, 6)}`;
}
