// Runs in the extension host: servers of this process come up in the whole product, with its settings, tree and gateway.
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Exports } from '../../src/extension.ts';
import { eventually } from '../../test/support/eventually.ts';
import { createServer } from '../scale/manyTools.ts';
import { cpuSince, watchSlices } from '../scale/processorTime.ts';

/** `watched`: how long one piece of work takes is looked at all the time, which itself takes the processor. */
export interface Round {
  readonly servers: number;
  readonly tools: number;
  readonly watched: boolean;
}

/** What a number of servers took. */
export interface ManyServers {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly longestSliceMs: number;
}

export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension<Exports>('mcp-switchboard.mcp-switchboard');
  if (!extension) throw new Error('the extension is not there');
  const { host } = await extension.activate();
  await vscode.commands.executeCommand('mcpSwitchboard.servers.focus');
  const sizes = JSON.parse(process.env['SWITCHBOARD_BENCH_SIZES'] ?? '[]') as Round[];
  const figures: ManyServers[] = [];
  for (const [round, { servers, tools, watched }] of sizes.entries()) {
    const watch = watched ? watchSlices() : undefined;
    const before = process.cpuUsage();
    const began = performance.now();
    const added = Array.from({ length: servers }, (_, place) => {
      const name = `round-${round}-server-${place}`;
      const definition = { type: 'sdk' as const, extension: 'bench.scale', server: name };
      const server = createServer(place, tools);
      return host.servers.addForExtension({ id: 'bench.scale', label: 'Bench' }, name, definition, async () => server.inProcess); // prettier-ignore
    });
    await host.servers.approve(added);
    await eventually('all tools are there', () => host.catalog.tools.length === servers * tools, 300_000);
    // What the tree and the gateway still have to do.
    await vscode.commands.executeCommand('mcpSwitchboard.servers.focus');
    figures.push({
      cpuMs: cpuSince(before),
      wallMs: performance.now() - began,
      longestSliceMs: watch?.stop() ?? Number.NaN,
    });
    for (const id of added) host.servers.removeAdded(id);
    await eventually('they are gone', () => host.catalog.tools.length === 0, 60_000);
  }
  writeFileSync(process.env['SWITCHBOARD_BENCH_RESULT'] ?? '', JSON.stringify(figures));
}
