import type { McpTool } from '../../../src/connection/connectionTypes.ts';

/** A tool with a description and string parameters. */
export function mcpTool(name: string, description?: string, parameters: Record<string, string> = {}): McpTool {
  const properties = Object.fromEntries(
    Object.entries(parameters).map(([key, text]) => [key, { type: 'string', description: text }]),
  );
  return {
    name,
    ...(description === undefined ? {} : { description }),
    inputSchema: { type: 'object', properties },
    annotations: {},
  };
}
