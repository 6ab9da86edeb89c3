import type { JsonObject } from '../base/json.ts';
import type { McpTool } from '../connection/connectionTypes.ts';
import type { CatalogTool } from './catalogTypes.ts';

/** The tool as its server lists it: its name is what is called, and policy, pins and questions go by it. */
export function underlyingOf(entry: CatalogTool): McpTool {
  return entry.underlying ?? entry.tool;
}

/** What the server gets for a call's arguments: bound ones added, a custom tool's template filled. */
export function argumentsFor(entry: CatalogTool, args: JsonObject): JsonObject {
  return entry.toArguments ? entry.toArguments(args) : args;
}
