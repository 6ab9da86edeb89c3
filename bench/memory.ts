// npm run -s bench -- memory [--connections N] [--cycles N]
//
// Heap of idle connections against as many of the bare SDK, on one HTTP server in another process; and what connecting
// and disconnecting leaves behind. Before that, what 36 servers with 20 tools hold that were searched, against bare clients.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { benchPool, benchTarget } from './connection/pool.ts';
import { heapAfterGc, option, report } from './connection/report.ts';
import { heapOfServers } from './memory/heapOfServers.ts';

const servers = await heapOfServers();
const connections = option('connections', 200);
const cycles = option('cycles', 1000);
const KIB = 1024;

const server = fork(fileURLToPath(new URL('./connection/httpServer.ts', import.meta.url)), { stdio: 'inherit' });
const [url] = (await once(server, 'message')) as [string];
const spec = { type: 'http' as const, url, headers: {} };

async function bareClients(): Promise<() => Promise<void>> {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client({ name: 'bench', version: '0' }, { versionNegotiation: { mode: 'auto' } });
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      await client.listTools();
      return client;
    }),
  );
  return async () => void (await Promise.all(clients.map((client) => client.close())));
}

async function pooled(): Promise<() => Promise<void>> {
  const pool = benchPool();
  const ids = Array.from({ length: connections }, (_, index) => `server-${index}`);
  pool.reconcile(ids.map((id) => benchTarget(id, spec)));
  await Promise.all(ids.map((id) => pool.ready(id, 60_000)));
  return async () => {
    await pool.stopAll({ afterEofMs: 0, afterTermMs: 0 });
    pool.dispose();
  };
}

/** KiB of heap per connection. */
async function heapOf(open: () => Promise<() => Promise<void>>): Promise<number> {
  const before = await heapAfterGc();
  const close = await open();
  const heap = (await heapAfterGc()) - before;
  await close();
  return heap / connections / KIB;
}

async function cycle(count: number, pool: ReturnType<typeof benchPool>): Promise<void> {
  for (let done = 0; done < count; done++) {
    const state = await pool.connect('server');
    if (state.kind !== 'connected') throw new Error(`cycle ${done}: ${JSON.stringify(state)}`);
    await pool.disconnect('server');
  }
}

// Both ways once before they are measured: code that is compiled and caches that are filled are nobody's connection.
await (
  await bareClients()
)();
await (
  await pooled()
)();
const bare = await heapOf(bareClients);
const ours = await heapOf(pooled);

const pool = benchPool();
pool.reconcile([{ ...benchTarget('server', spec), autoStart: false }]);
await cycle(Math.max(50, cycles / 10), pool);
const before = await heapAfterGc();
await cycle(cycles, pool);
const growth = (await heapAfterGc()) - before;
pool.dispose();
server.kill();

report(
  'memory',
  {
    serversBareMiB: servers.bare / KIB / KIB,
    serversMiB: servers.searched / KIB / KIB,
    serversRatio: servers.own / servers.bare,
    searchedRatio: servers.searched / servers.bare,
    connections,
    bareKiBPerConnection: bare,
    poolKiBPerConnection: ours,
    differenceKiB: ours - bare,
    cycles,
    cyclesGrowthMiB: growth / KIB / KIB,
  },
  { searchedRatio: '<= 1.8', differenceKiB: '<= 60', cyclesGrowthMiB: '<= 2' },
);
process.exit(0);
