import type { JsonObject } from '../base/json.ts';
import type { McpTool } from '../connection/connectionTypes.ts';

/** A tool as everything above sees it. */
export interface CatalogTool {
  /** Callable name, unique over all servers: `mcp__<server>__<tool>`. */
  readonly name: string;
  readonly serverId: string;
  /** The configured name of the server. */
  readonly serverName: string;
  /** As it is shown: renamed, described and corrected where people say so. */
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

/** A server that can't answer a search now, and why. */
export interface UnavailableServer {
  readonly serverName: string;
  readonly state: string;
}
