import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { silentLogger } from '../../src/base/log.ts';
import { FileStore } from '../../src/platform/fileStore.ts';
import { TestHost } from '../../test/support/testHost.ts';
import { heapAfterGc } from '../connection/report.ts';
import { createServer } from '../scale/manyTools.ts';

const SERVERS = 36;
const TOOLS = 20;

/** Bytes of heap that what `make` gives holds. */
async function held(make: () => Promise<unknown>): Promise<number> {
  const before = await heapAfterGc();
  const kept = await make();
  const after = await heapAfterGc();
  if (kept === undefined) throw new Error('nothing is kept');
  return after - before;
}

const kept: Client[] = [];

async function bareClients(servers: number): Promise<readonly unknown[]> {
  return Promise.all(
    Array.from({ length: servers }, async (_, place) => {
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      const server = createServer(place, TOOLS).inProcess;
      if (server.kind !== 'transport') throw new Error('it is no transport');
      await server.connect(theirs);
      const client = new Client({ name: 'bare', version: '0' });
      kept.push(client);
      await client.connect(ours);
      return [client, await client.listTools()];
    }),
  );
}

async function ours(rig: TestHost, servers: number): Promise<TestHost> {
  await rig.host.start();
  const ids = Array.from({ length: servers }, (_, place) =>
    rig.host.servers.addForExtension(
      { id: 'test.heap', label: 'Heap' },
      `server-${place}`,
      { type: 'sdk', extension: 'test.heap', server: `server-${place}` },
      async () => createServer(place, TOOLS).inProcess,
    ),
  );
  await rig.host.servers.approve(ids);
  await rig.until(() => rig.host.catalog.tools.length === servers * TOOLS, 60_000);
  return rig;
}

async function search(rig: TestHost): Promise<unknown> {
  const { hits } = await rig.host.search({ query: 'export an invoice' });
  if (hits.length === 0) throw new Error('nothing is found');
  return hits;
}

/** Bytes of heap. */
export interface HeapFigures {
  readonly bare: number;
  readonly own: number;
  /** What the first search adds. */
  readonly index: number;
}

/** What 36 servers of this process with 20 tools each hold: as bare clients, and in the core. */
export async function heapOfServers(): Promise<HeapFigures> {
  // Code is loaded and compiled once, whoever is measured.
  const warm = new TestHost();
  await search(await ours(warm, 2));
  await warm.stop();
  await bareClients(2);
  const bare = await held(() => bareClients(SERVERS));
  const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-heap-'));
  // As in the product, what is remembered of tools lies in files.
  const rig = new TestHost({ ports: { toolStore: new FileStore(folder, silentLogger) } });
  try {
    const own = await held(() => ours(rig, SERVERS));
    return { bare, own, index: await held(() => search(rig)) };
  } finally {
    await rig.stop();
    rmSync(folder, { recursive: true, force: true });
    await Promise.all(kept.splice(0).map((client) => client.close()));
  }
}
