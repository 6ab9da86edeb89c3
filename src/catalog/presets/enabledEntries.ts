// Loaded with the first command that changes presets.
import { serverSpellings, type NamedServer } from '../names/serverNames.ts';
import { ActivePreset, type PresetTools } from './activePreset.ts';

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
  const entries = enabled.flatMap(({ server, tools }) => {
    const name = plainNameOf(server, others);
    return tools === 'all' ? [name] : tools.map((pattern) => `${name}/${pattern}`);
  });
  return [...new Set(entries)];
}

function plainNameOf(server: NamedServer, others: readonly NamedServer[]): string {
  const spellings = [...new Set(serverSpellings(server))];
  const names = spellings.filter((name) => name.trim() !== '' && (!SPECIAL.test(name) || CALLABLE.test(name)));
  // The callable name at worst: parts are one server's alone.
  return names.find((name) => isOnlyOf(name, server, others)) ?? `mcp__${server.part}`;
}

function isOnlyOf(name: string, server: NamedServer, others: readonly NamedServer[]): boolean {
  const preset = new ActivePreset({ name, entries: [name], last: [name] }, []);
  return others.every((other) => isSame(other, server) || preset.toolsOf(other).length === 0);
}

function isSame(one: NamedServer, other: NamedServer): boolean {
  return one.part === other.part && one.name === other.name;
}
