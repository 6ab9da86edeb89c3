// What a window runs of this extension, in a process of its own: the core with its gateway, files and ledger, and servers of which
// nobody asks anything. Tells who started it when all are connected.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock, type Clock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { Gateway } from '../../src/bridge/gateway/gateway.ts';
import { FileStore } from '../../src/platform/fileStore.ts';
import { TestHost } from '../../test/support/testHost.ts';
import { wording } from '../../test/unit/bridge/gatewayRig.ts';

const servers = JSON.parse(process.argv[2] ?? '[]') as { readonly id: string; readonly args: readonly string[] }[];
const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-window-'));
const file = path.join(folder, 'mcp.json');
const entries = servers.map(({ id, args }) => [id, { command: process.execPath, args }]);
writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
let wakes = 0;
/** The real clock, which counts how often it wakes. */
const clock: Clock = {
  now: () => systemClock.now(),
  schedule: (delayMs, callback) =>
    systemClock.schedule(delayMs, () => {
      wakes += 1;
      callback();
    }),
};
const test = new TestHost({
  folder,
  own: { file },
  ports: { clock, stateDir: folder, toolStore: new FileStore(path.join(folder, 'tools'), silentLogger) },
});
const { host } = test;
const settings = (): { readonly exposure: 'auto' } => ({ exposure: 'auto' });
const gateway = new Gateway({ host, clock, wording, version: '0', settings });
process.on('message', (what) => {
  if (what === 'wakes') return void process.send?.(wakes);
  gateway.dispose();
  void test.stop().then(() => {
    rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  });
});
await Promise.all([host.start(), gateway.start()]);
await test.until(() => host.pool.all.every(({ state }) => state.kind === 'connected'), 180_000);
process.send?.('connected');
