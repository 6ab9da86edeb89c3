import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';

/** Puts the server that asks everything in the place of one of the demo's. */
export function withOffers(folder: string): void {
  const file = join(folder, '.mcp.json');
  const config = JSON.parse(readFileSync(file, 'utf8')) as { mcpServers: Record<string, unknown> };
  delete config.mcpServers['memory'];
  const server = join(root, 'test/fixtures/servers/offers.ts');
  config.mcpServers['offers'] = { command: process.execPath, args: [server] };
  writeFileSync(file, JSON.stringify(config));
}
