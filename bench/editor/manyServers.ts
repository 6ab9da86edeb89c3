// Runs in the extension host: servers of this process come up in the whole product, with its settings, tree and gateway.
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Exports } from '../../src/extension.ts';
import { eventually } from '../../test/support/eventually.ts';
import { createServer } from '../scale/manyTools.ts';
import { cpuSince, watchSlices } from '../scale/processorTime.ts';
import { ROUNDS, type RoundFigures } from '../scale/round.ts';
import { profiled } from './profile.ts';

export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension<Exports>('mcp-switchboard.mcp-switchboard');
  if (!extension) throw new Error('the extension is not there');
  const { host } = await extension.activate();
  await vscode.commands.executeCommand('mcpSwitchboard.servers.focus');
  const figures: RoundFigures[] = [];
  for (const [round, { servers, tools, watched }] of ROUNDS.entries()) {
    const added: string[] = [];
    const watch = watched ? watchSlices() : undefined;
    const before = process.cpuUsage();
    const began = performance.now();
    await profiled(`${servers}x${tools}`, async () => {
      for (let place = 0; place < servers; place += 1) {
        const name = `round-${round}-server-${place}`;
        const server = createServer(place, tools);
        const definition = { type: 'sdk', extension: 'bench.scale', server: name } as const;
        added.push(host.servers.addForExtension({ id: 'bench.scale', label: 'Bench' }, name, definition, async () => server.inProcess)); // prettier-ignore
        // As from so many extensions.
        await new Promise((resolve) => setImmediate(resolve));
      }
      await host.servers.approve(added);
      await eventually('all tools are there', () => host.catalog.tools.length === servers * tools, 300_000);
      // What the tree and the gateway still have to do.
      await vscode.commands.executeCommand('mcpSwitchboard.servers.focus');
    });
    figures.push({
      cpuMs: cpuSince(before),
      wallMs: performance.now() - began,
      longestSliceMs: watch?.stop() ?? Number.NaN,
      longestWorkMs: watch?.longestWorkMs ?? Number.NaN,
      changeCpuMs: [],
    });
    for (const id of added) host.servers.removeAdded(id);
    await eventually('they are gone', () => host.catalog.tools.length === 0, 60_000);
  }
  writeFileSync(process.env['SWITCHBOARD_BENCH_RESULT'] ?? '', JSON.stringify(figures));
}
