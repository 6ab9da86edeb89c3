import type { CatalogTool } from '../../../src/catalog/catalogTool.ts';
import type { McpTool } from '../../../src/connection/connectionTypes.ts';

/** A catalog's entry for a tool of the server `s`. */
export function entryOf(tool: McpTool, serverName = 's'): CatalogTool {
  return { name: `mcp__${serverName}__${tool.name}`, serverId: serverName, serverName, serverPart: serverName, tool };
}
