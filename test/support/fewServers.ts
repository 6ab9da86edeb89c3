import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { editServers } from './demoServers.ts';

/** In the folder: the tools that the server `odd` has. */
export const ODD_TOOLS_FILE = 'odd-tools.json';

/**
 * Leaves of the demo the server of four tools, and adds one with an app, which notes what happens to it in the folder's
 * `noted`, and one without any tool yet: few enough to be offered natively where the model has room for them.
 */
export function withFewTools(folder: string): void {
  const tools = join(folder, ODD_TOOLS_FILE);
  writeFileSync(tools, '[]');
  editServers(folder, (servers) => {
    for (const name of ['everything', 'filesystem', 'memory']) delete servers[name];
    const fixture = (path: string, ...args: string[]): string[] => [join(root, 'test/fixtures', path), ...args];
    servers['apps'] = { command: process.execPath, args: fixture('servers/apps.ts', join(folder, 'noted')) };
    servers['odd'] = { command: process.execPath, args: fixture('catalog/list-server.mjs', tools) };
  });
}
