// Runs in the extension host: what it costs to require the bundle and to activate the extension, before any server is
// started; and from there until the first server has its tools, with all that is loaded on the way, as this thread's time: it
// begins when the host has started everybody else and is at rest.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Exports } from '../../src/extension.ts';
import { profiled } from './profile.ts';
import { cpuSince, quietThread, threadCpuMs, watchSlices } from '../scale/processorTime.ts';

type Activate = (context: vscode.ExtensionContext) => unknown;

export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension<Exports>('mcp-switchboard.mcp-switchboard');
  if (!extension) throw new Error('the extension is not there');
  const alreadyActive = extension.isActive;
  const bundle = path.join(extension.extensionPath, 'dist/extension.js');
  await quietThread();
  const began = threadCpuMs();
  // To look all the time takes the processor itself.
  const watch = process.env['SWITCHBOARD_BENCH_WATCHED'] === '1' ? watchSlices() : undefined;
  const loading = process.cpuUsage();
  const loaded = require(bundle) as { readonly activate: Activate };
  const requireMs = cpuSince(loading);
  let activateMs = Number.NaN;
  const activate: Activate = (context) => {
    const activating = process.cpuUsage();
    const result = loaded.activate(context);
    activateMs = cpuSince(activating);
    return result;
  };
  // The editor takes the module from this cache.
  const cached = require.cache[require.resolve(bundle)];
  if (cached) cached.exports = { ...loaded, activate };
  await profiled('activation', async () => {
    const { host } = await extension.activate();
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (host.catalog.tools.length > 0) resolve();
      };
      host.onDidChange(look);
      look();
    });
  });
  const firstServerSliceMs = watch?.stop() ?? Number.NaN;
  const firstServerCpuMs = watch ? Number.NaN : threadCpuMs() - began;
  const figures = {
    alreadyActive,
    requireMs,
    activateMs,
    cpuMs: requireMs + activateMs,
    firstServerCpuMs,
    firstServerSliceMs,
  };
  writeFileSync(process.env['SWITCHBOARD_BENCH_RESULT'] ?? '', JSON.stringify(figures));
}
