import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { editServers } from './demoServers.ts';

/** Puts the server that asks and offers everything in the place of one of the demo's. */
export function withOffers(folder: string): void {
  editServers(folder, (servers) => {
    delete servers['memory'];
    servers['offers'] = { command: process.execPath, args: [join(root, 'test/fixtures/servers/offers.ts')] };
  });
}
