import type { Client } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../base/json.ts';
import type { Link } from '../link.ts';
import { cleanIcons } from '../protocol/sanitizeMessages.ts';
import type { ServerInfo } from '../connectionTypes.ts';

/** What a server said of itself in the handshake. */
export function readServerInfo(client: Client, link: Link): ServerInfo {
  const version = client.getServerVersion();
  const instructions = client.getInstructions();
  return {
    name: version?.name ?? '',
    version: version?.version ?? '',
    protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
    era: client.getProtocolEra() ?? 'legacy',
    ...(typeof instructions === 'string' && instructions ? { instructions } : {}),
    ...cleanIcons(version?.icons),
    ...(version?.websiteUrl ? { websiteUrl: version.websiteUrl } : {}),
    capabilities: (client.getServerCapabilities() ?? {}) as JsonObject,
    ...(link.pid === undefined ? {} : { pid: link.pid }),
  };
}
