import { Emitter } from '../../../base/event.ts';
import { sha256 } from '../../../base/json/json.ts';
import { readPresets, type Preset } from '../../../catalog/presets/readPresets.ts';
import type { ClientCalls } from '../brokerCall.ts';
import { digestOf } from '../listedTools.ts';
import { presetLabel } from './presetReference.ts';
import { PresetUpstream } from './presetUpstream.ts';

/** How many presets are offered to custom agents. */
const MAX_PRESETS = 8;

/** A preset that is to be served, as an endpoint is made of it. */
interface PresetEndpoint {
  readonly serverName: string;
  readonly infoName: string;
  readonly upstream: PresetUpstream;
  readonly toolsChanged: Emitter<void>;
  readonly version: () => string;
  readonly isCurrent: () => boolean;
}

/**
 * The presets that the user offers to custom agents, once they have a tool.
 * @param isServed whether there is an endpoint of this id
 * @returns those that have none yet, by their ids
 */
export function presetEndpoints(
  { host, wording, version }: ClientCalls & { readonly version: string },
  isServed: (id: string) => boolean,
): ReadonlyMap<string, PresetEndpoint> {
  const offered = (): ReadonlyMap<string, Preset> => {
    const presets = readPresets(host.preset.settings).filter((preset) => preset.isForCustomAgents);
    return new Map(presets.slice(0, MAX_PRESETS).map((preset) => [JSON.stringify(preset), preset]));
  };
  const found = new Map<string, PresetEndpoint>();
  for (const [written, preset] of offered()) {
    const id = `preset:${preset.name}`;
    if (isServed(id)) continue;
    const toolsChanged = new Emitter<void>();
    const upstream = new PresetUpstream({ host, wording, version, preset, onDidChangeTools: toolsChanged.event });
    if (upstream.tools().length === 0) continue;
    const { infoName } = upstream;
    found.set(id, {
      serverName: presetLabel(preset.name),
      infoName,
      upstream,
      toolsChanged,
      version: () => sha256(digestOf(upstream.tools())).slice(0, 16),
      isCurrent: () => upstream.infoName === infoName && offered().has(written),
    });
  }
  return found;
}
