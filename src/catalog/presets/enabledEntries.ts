// Loaded with the first command that changes presets.
import { serverSpellings, type NamedServer } from '../names/serverNames.ts';
import type { PresetTools } from './presetPatterns.ts';

/** A server that may run, and what of it agents have now. */
export interface EnabledServer {
  readonly server: NamedServer;
  readonly tools: PresetTools;
}

/** What stands for other characters, or for a tool behind a server's name. */
const SPECIAL = /[*?/]|__/;
/** `mcp__` before a part, which means the same server to all. */
const CALLABLE = /^mcp__[a-z0-9_-]+$/;

/**
 * What agents can use now, as entries of a preset. A server is named as it is configured where that means no other server
 * and no tool, else by another of its names.
 * @param others all servers that an entry could name, those that are enabled included
 */
export function entriesOf(enabled: readonly EnabledServer[], others: readonly NamedServer[]): readonly string[] {
  const uses = usesOf(others);
  const entries = enabled.flatMap(({ server, tools }) => {
    const name = plainNameOf(server, uses);
    return tools === 'all' ? [name] : tools.map((pattern) => `${name}/${pattern}`);
  });
  return [...new Set(entries)];
}

/** How many servers can be called so, by name. */
function usesOf(servers: readonly NamedServer[]): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const server of servers)
    for (const name of new Set(serverSpellings(server))) uses.set(name, (uses.get(name) ?? 0) + 1);
  return uses;
}

function plainNameOf(server: NamedServer, uses: ReadonlyMap<string, number>): string {
  const isPlain = (name: string): boolean =>
    name.trim() !== '' && (!SPECIAL.test(name) || (CALLABLE.test(name) && !uses.has('mcp')));
  // The callable name at worst: parts are one server's alone.
  return serverSpellings(server).find((name) => isPlain(name) && uses.get(name) === 1) ?? `mcp__${server.part}`;
}
