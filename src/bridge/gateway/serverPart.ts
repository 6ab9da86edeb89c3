import { serverPartOf } from '../../catalog/names/toolNames.ts';
import type { Host } from '../../host/host.ts';

/** The server's part of callable names; of one that has no tools now, what it had, or would have. */
export function partOfServer({ catalog, servers }: Pick<Host, 'catalog' | 'servers'>, serverId: string): string {
  const part = catalog.partOf(serverId);
  if (part !== '') return part;
  const taken = new Set(catalog.serverIds.map((id) => catalog.partOf(id)));
  return serverPartOf(serverId, servers.get(serverId)?.name ?? serverId, taken);
}
