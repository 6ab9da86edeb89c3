// Runs in the extension host: seconds until the same servers are ready, by this extension or by the editor's own MCP.
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Exports } from '../../src/extension.ts';

export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension<Exports>('mcp-switchboard.mcp-switchboard');
  if (!extension) throw new Error('the extension is not there');
  const { host } = await extension.activate();
  await host.start();
  const sides: Record<string, () => Promise<void>> = {
    ours: async () => {
      await Promise.all(host.pool.all.map(({ id }) => host.pool.connect(id)));
      const failed = host.pool.all.filter(({ state }) => state.kind !== 'connected');
      if (host.pool.all.length < 12 || failed.length > 0) throw new Error(`not connected: ${failed.length}`);
    },
    builtIn: async () => {
      await vscode.commands.executeCommand('workbench.mcp.startServer', '*', { waitForLiveTools: true });
    },
  };
  const began = performance.now();
  await sides[process.env['SWITCHBOARD_BENCH_SIDE'] ?? '']?.();
  writeFileSync(process.env['SWITCHBOARD_BENCH_RESULT'] ?? '', JSON.stringify((performance.now() - began) / 1000));
}
