import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import type { LiveProcess } from '../../scripts/lib/process-tree.mjs';
import { readWrittenJson } from './readWrittenJson.ts';

const CONFIG = '.mcp.json';
const PROGRAMS = ['mcp-server-everything', 'mcp-server-filesystem', 'mcp-server-memory', 'mcp-switchboard-notes'];
const each = (count: number): Record<string, number> => Object.fromEntries(PROGRAMS.map((name) => [name, count]));

/** What `serverTrees` gives when none of the demo's servers runs, and when each of them runs once. */
export const NONE = each(0);
export const ONE_EACH = each(1);

/**
 * How many process trees each of the demo's servers has. A server is counted once with the wrappers around it, and so is a
 * wrapper that outlived its server, or the other way round.
 */
export function serverTrees(processes: readonly LiveProcess[]): Record<string, number> {
  return Object.fromEntries(
    PROGRAMS.map((name) => {
      const all = processes.filter(({ command }) => command.includes(name));
      const pids = new Set(all.map(({ pid }) => pid));
      return [name, all.filter(({ parent }) => !pids.has(parent)).length];
    }),
  );
}

export interface ServerEntry {
  command?: string;
  type?: string;
  url?: string;
  args?: string[];
  env?: Record<string, string>;
  disabled?: boolean;
}

/** Changes the servers in a copy of the demo. */
export function editServers(folder: string, change: (servers: Record<string, ServerEntry>) => void): void {
  const config = readConfig(folder);
  change(config.mcpServers);
  writeFileSync(join(folder, CONFIG), JSON.stringify(config, undefined, 2));
}

/** Starts the demo's programs by themselves: each `npx` costs a window as much time as four servers. */
export function withoutNpx(folder: string): void {
  editServers(folder, (servers) => {
    for (const server of Object.values(servers)) {
      const [option, program = '', ...args] = server.args ?? [];
      if (server.command !== 'npx' || option !== '--no-install') continue;
      server.command = process.execPath;
      server.args = [join(root, 'node_modules', '.bin', program), ...args];
    }
  });
}

/** The names of the enabled servers in a copy of the demo. */
export function enabledServers(folder: string): readonly string[] {
  const { mcpServers } = readConfig(folder);
  return Object.keys(mcpServers).filter((name) => mcpServers[name]?.disabled !== true);
}

function readConfig(folder: string): { mcpServers: Record<string, ServerEntry> } {
  return readWrittenJson(join(folder, CONFIG)) as { mcpServers: Record<string, ServerEntry> };
}
