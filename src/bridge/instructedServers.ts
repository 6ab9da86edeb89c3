import type { InstructedServer } from '../catalog/exposure/instructions.ts';
import type { Host } from '../host/host.ts';

/** The servers that the model is told of: those that are connected, in the order of their definitions. */
export function instructedServers(host: Host): readonly InstructedServer[] {
  return host.views.flatMap(({ definition, state }): InstructedServer[] => {
    if (state.kind !== 'connected') return [];
    const instructions = host.feed.instructionsOf(definition.id);
    const tools = host.catalog.toolsOf(definition.id);
    return [{ serverName: definition.name, tools, ...(instructions ? { instructions } : {}) }];
  });
}
