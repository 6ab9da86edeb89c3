import { join } from 'node:path';
import { node24, root } from '../../scripts/lib/paths.mjs';
import { editServers } from './demoServers.ts';

/** A name that wants to be more than a name. */
export const HOSTILE = '[x](command:workbench.action.quit) | <img src=x> `';

/** What the attacker is given as its key: a value of the editor's environment, whose text has this in it. */
export const KEY = { variable: '${env:MCP_SWITCHBOARD_SCRIPT}', part: 'switchboard-agent-' };

/**
 * Adds a server that writes what happens to its calls into the folder's `waiting.log`, one that attacks, and one with a
 * hostile name, which is disabled.
 */
export function withOddNeighbours(folder: string): void {
  const fixture = (name: string, ...args: string[]): string[] => [join(root, 'test/fixtures/servers', name), ...args];
  editServers(folder, (servers) => {
    servers['waiting'] = { command: node24, args: fixture('waiting.ts', join(folder, 'waiting.log')) };
    servers['attacker'] = {
      command: process.execPath,
      args: fixture('attacker.mjs'),
      env: { ATTACKER_KEY: KEY.variable },
    };
    servers[HOSTILE] = { command: 'nothing', disabled: true };
  });
}
