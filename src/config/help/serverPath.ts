import type { ConfigSource } from '../configTypes.ts';

/** Keys that servers stand under by their names. */
const SECTIONS = new Set(['mcpServers', 'mcp_servers', 'context_servers', 'mcp.servers', 'mcpSwitchboard.servers']);
/** Top-level keys of a file for servers that are no servers of a flat map. */
const OTHER_KEYS = new Set(['inputs', 'imports', 'version', 'name', 'description', '$schema']);

/** A path, seen from the server that it leads into. */
export interface ServerPath {
  /** The server's name as far as it is written. */
  readonly name: string;
  /** From the server's entry on; empty at the entry itself. */
  readonly inside: readonly (string | number)[];
}

/**
 * The server that a path leads into; `undefined` where it leads elsewhere. By the path alone, since a text that is being
 * written can't be read as a whole (the reader of files is `findServerMaps`).
 */
export function serverPathOf(
  path: readonly (string | number)[],
  { format, within = [] }: Pick<ConfigSource, 'format' | 'within'>,
): ServerPath | undefined {
  const [first, ...rest] = pathWithin(path, within);
  if (typeof first !== 'string') return undefined;
  if (first === 'mcp') return rest[0] === 'servers' ? entryAt(rest.slice(1)) : entryAt(rest);
  if (SECTIONS.has(first)) return entryAt(rest);
  if (format !== 'mcp' || OTHER_KEYS.has(first)) return undefined;
  return first === 'servers' ? entryAt(rest) : entryAt([first, ...rest]);
}

/** A path, seen from the object that `within` leads to, if it leads into that. */
export function pathWithin(
  path: readonly (string | number)[],
  within: readonly string[] = [],
): readonly (string | number)[] {
  return within.every((key, index) => path[index] === key) ? path.slice(within.length) : path;
}

function entryAt([name, ...inside]: readonly (string | number)[]): ServerPath | undefined {
  return typeof name === 'string' ? { name, inside } : undefined;
}
