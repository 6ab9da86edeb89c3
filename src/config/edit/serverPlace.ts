import { findServerMaps } from '../read/serverMaps.ts';
import type { ConfigNode } from '../syntax/configNode.ts';

export type ServerSection = 'mcpServers' | 'servers';

/** Where a file's servers are: under the key that it uses, at the root of a flat map of servers, else under `section`. */
export function placeForServers(
  root: ConfigNode,
  section: ServerSection,
): { readonly path: readonly string[]; readonly names: readonly string[] } {
  const maps = findServerMaps(root, 'mcp');
  const map =
    maps.find((each) => each.section === section) ??
    maps.find((each) => ['mcpServers', 'servers', undefined].includes(each.section));
  if (!map) return { path: [section], names: [] };
  return { path: map.section === undefined ? [] : [map.section], names: map.members.map(({ key }) => key) };
}
