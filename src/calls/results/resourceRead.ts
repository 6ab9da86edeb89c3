import type { JsonObject } from '../../base/json.ts';
import type { CatalogTool } from '../../catalog/catalogTool.ts';
import type { McpTool } from '../../connection/connectionTypes.ts';
import type { ToolCall } from '../callTypes.ts';

/** A wish to read a resource of a server. */
export interface ResourceRead extends Omit<ToolCall, 'name' | 'args'> {
  readonly serverId: string;
  /** As configured. */
  readonly serverName: string;
  readonly uri: string;
}

const READ: McpTool = {
  name: 'resources/read',
  title: 'Read a resource',
  inputSchema: { type: 'object', properties: { uri: { type: 'string' } }, required: ['uri'] },
  annotations: { readOnlyHint: true },
};

/**
 * Reading a resource as a call of a tool that reads, so that rules, modes and the history hold for it too: a rule fits it
 * as `mcp__<configured server>__resources/read`.
 */
export function asCall({ serverId, serverName, uri, ...rest }: ResourceRead): {
  readonly tool: CatalogTool;
  readonly call: ToolCall;
} {
  const name = `mcp__${serverName}__${READ.name}`;
  const args: JsonObject = { uri };
  return { tool: { name, serverId, serverName, tool: READ }, call: { ...rest, name, args } };
}
