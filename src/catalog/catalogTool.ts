import type { JsonObject } from '../base/json/json.ts';
import type { McpTool, ToolAnnotations } from '../connection/connectionTypes.ts';

/** A tool as everything above sees it. */
export interface CatalogTool {
  /** Callable name, unique over all servers: `mcp__<server>__<tool>`. */
  readonly name: string;
  readonly serverId: string;
  /** The name of the server as it is shown: the configured one, with its folder where several folders have it. */
  readonly serverName: string;
  /** The configured name of the server, where it is shown under another one: what rules, trust and hooks go by. */
  readonly configuredName?: string;
  /** Its server's part of `name`. */
  readonly serverPart: string;
  /** As it is shown: with the overrides of the configuration. */
  readonly tool: McpTool;
  /** As the server lists it, where that differs: what is called; policy, pins and questions go by it. */
  readonly underlying?: McpTool;
  /** What the server gets for the arguments of a call, where that differs. */
  readonly toArguments?: (args: JsonObject) => JsonObject;
  /** From memory and not from the server: when it was listed, in milliseconds since the epoch. */
  readonly cachedAt?: number;
  /** The entry of its server wants it in the model's list from the start. */
  readonly alwaysLoad?: boolean;
}

/** What a tool may do, as far as its annotations say. Absent annotations mean the worst (protocol defaults). */
export type ToolEffect = 'read-only' | 'writes' | 'destructive';

/**
 * What a tool may do, as far as its annotations say (specification: `ToolAnnotations`). Only `readOnlyHint: true`
 * makes it read-only; of the rest only `destructiveHint: false` says that it destroys nothing.
 */
export function effectOf(annotations: ToolAnnotations): ToolEffect {
  if (annotations.readOnlyHint === true) return 'read-only';
  return annotations.destructiveHint === false ? 'writes' : 'destructive';
}

/** The configured name of a tool's server. */
export function configuredNameOf({ configuredName, serverName }: CatalogTool): string {
  return configuredName ?? serverName;
}

/** The tool as its server lists it: its name is what is called, and policy, pins and questions go by it. */
export function underlyingOf(entry: CatalogTool): McpTool {
  return entry.underlying ?? entry.tool;
}

/** What the server gets for a call's arguments: bound ones added, a custom tool's template filled. */
export function argumentsFor(entry: CatalogTool, args: JsonObject): JsonObject {
  return entry.toArguments ? entry.toArguments(args) : args;
}
