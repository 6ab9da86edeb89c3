import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { MemoryStore } from '../../src/base/keyValueStore.ts';
import { Gateway } from '../../src/bridge/gateway/gateway.ts';
import type { HostPorts } from '../../src/host/hostPorts.ts';
import { FileStore } from '../../src/platform/fileStore.ts';
import { TestHost } from '../../test/support/testHost.ts';
import { wording } from '../../test/unit/bridge/gatewayRig.ts';

const RUNS = 15;

/**
 * From the making of the core to the first endpoint that offers tools natively, in milliseconds, where the tools are
 * remembered from an earlier run of the same workspace.
 */
export async function firstTools(): Promise<readonly number[]> {
  const store = new MemoryStore();
  const memory = mkdtempSync(path.join(tmpdir(), 'switchboard-tools-'));
  // Anew for each run, as for each window: what is remembered is read from disk.
  const ports = (): Partial<HostPorts> => ({ toolStore: new FileStore(memory, silentLogger) });
  const first = new TestHost({ store, ports: ports() });
  const server = { command: process.execPath, args: [path.join(root, 'demo/notes-server/main.js')] };
  writeFileSync(path.join(first.folder, '.mcp.json'), JSON.stringify({ mcpServers: { notes: server } }));
  await first.host.start();
  await first.approveAll();
  await first.host.stop();
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const began = performance.now();
    const next = new TestHost({ store, folder: first.folder, ports: ports() });
    const gateway = new Gateway({
      host: next.host,
      clock: systemClock,
      wording,
      version: '0',
      settings: () => ({ exposure: 'auto' }),
    });
    await next.host.start();
    await gateway.start();
    await next.until(() =>
      gateway.endpoints.some(({ serverName, toolCount }) => serverName === 'notes' && toolCount > 0),
    );
    if (next.host.catalog.tools[0]?.cachedAt === undefined) throw new Error('the tools came from the server');
    times.push(performance.now() - began);
    gateway.dispose();
    await next.stop();
  }
  await first.stop();
  rmSync(memory, { recursive: true, force: true });
  return times;
}
