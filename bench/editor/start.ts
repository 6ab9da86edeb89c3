// Runs in the extension host: the same servers to all-ready, by this extension and by the editor's own MCP, one after the other.
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Exports } from '../../src/extension.ts';
import { eventually } from '../../test/support/eventually.ts';
import { childProcesses } from '../connection/processes.ts';

export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension<Exports>('mcp-switchboard.mcp-switchboard');
  if (!extension) throw new Error('the extension is not there');
  const { host } = await extension.activate();
  await host.start();
  const ours = async (): Promise<number> => {
    const began = performance.now();
    await Promise.all(host.pool.all.map(({ id }) => host.pool.connect(id)));
    const seconds = (performance.now() - began) / 1000;
    const failed = host.pool.all.filter(({ state }) => state.kind !== 'connected');
    if (host.pool.all.length < 12 || failed.length > 0) throw new Error(`not connected: ${failed.length}`);
    await Promise.all(host.pool.all.map(({ id }) => host.pool.disconnect(id)));
    return seconds;
  };
  // Once in a window: a second start after a stop comes back before anything runs.
  const builtIn = async (): Promise<number> => {
    const before = new Set(childProcesses());
    const began = performance.now();
    await vscode.commands.executeCommand('workbench.mcp.startServer', '*', { waitForLiveTools: true });
    const seconds = (performance.now() - began) / 1000;
    await vscode.commands.executeCommand('workbench.mcp.stopServer', '*');
    // The command doesn't wait for their end.
    await eventually('its processes are gone', () => childProcesses().every((pid) => before.has(pid)));
    return seconds;
  };
  const sides = { ours, builtIn };
  const times: Record<string, number> = {};
  const order = process.env['SWITCHBOARD_BENCH_FIRST'] === 'ours' ? ['ours', 'builtIn'] : ['builtIn', 'ours'];
  for (const side of order as (keyof typeof sides)[]) times[side] = await sides[side]();
  writeFileSync(process.env['SWITCHBOARD_BENCH_RESULT'] ?? '', JSON.stringify(times));
}
