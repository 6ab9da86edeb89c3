// Runs in the extension host: 500 servers of this process with 20 tools each, which stay until the window's side is done.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Exports } from '../../src/extension.ts';
import { eventually } from '../../test/support/eventually.ts';
import { createServer } from '../scale/manyTools.ts';

const SERVERS = 500;
const TOOLS = 20;

export async function run(): Promise<void> {
  const folder = process.env['SWITCHBOARD_BENCH_FOLDER'] ?? '';
  const extension = vscode.extensions.getExtension<Exports>('mcp-switchboard.mcp-switchboard');
  if (!extension) throw new Error('the extension is not there');
  const { host } = await extension.activate();
  const owner = { id: 'bench.tree', label: 'Bench' };
  const added = Array.from({ length: SERVERS }, (_none, place) => {
    const name = `server-${place}`;
    const server = createServer(place, TOOLS);
    const definition = { type: 'sdk', extension: owner.id, server: name } as const;
    return host.servers.addForExtension(owner, name, definition, async () => server.inProcess);
  });
  await host.servers.approve(added);
  await eventually('all tools are there', () => host.catalog.tools.length >= SERVERS * TOOLS, 300_000);
  writeFileSync(path.join(folder, 'ready'), '');
  await eventually('the window is measured', () => existsSync(path.join(folder, 'done')), 300_000);
}
