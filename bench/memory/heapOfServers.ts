import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { silentLogger } from '../../src/base/log.ts';
import { FileStore } from '../../src/platform/fileStore.ts';
import { TestHost } from '../../test/support/testHost.ts';
import { heapAfterGc, median } from '../connection/report.ts';
import { createServer } from '../scale/manyTools.ts';

const SERVERS = 36;
const TOOLS = 20;

const clients: Client[] = [];
const lists: unknown[] = [];

async function bareClients(): Promise<void> {
  await Promise.all(
    Array.from({ length: SERVERS }, async (_, place) => {
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      const server = createServer(place, TOOLS).inProcess;
      if (server.kind !== 'transport') throw new Error('it is no transport');
      await server.connect(theirs);
      const client = new Client({ name: 'bare', version: '0' });
      await client.connect(ours);
      clients.push(client);
      lists.push(await client.listTools());
    }),
  );
}

/** A host whose memory of tools lies in files, as in the product. */
interface Rig extends TestHost {
  readonly remembered: FileStore;
}

function openRig(folder: string): Rig {
  const remembered = new FileStore(folder, silentLogger);
  return Object.assign(new TestHost({ ports: { toolStore: remembered } }), { remembered });
}

async function ours(rig: Rig): Promise<Rig> {
  await rig.host.start();
  const ids = Array.from({ length: SERVERS }, (_, place) =>
    rig.host.servers.addForExtension(
      { id: 'test.heap', label: 'Heap' },
      `server-${place}`,
      { type: 'sdk', extension: 'test.heap', server: `server-${place}` },
      async () => createServer(place, TOOLS).inProcess,
    ),
  );
  await rig.host.servers.approve(ids);
  await rig.until(() => rig.host.catalog.tools.length === SERVERS * TOOLS, 60_000);
  // What is being written is no memory of servers.
  await rig.remembered.flush();
  return rig;
}

async function search(rig: Rig | undefined): Promise<void> {
  const found = await rig?.host.search({ query: 'export an invoice' });
  if (!found?.hits.length) throw new Error('nothing is found');
}

/** Bytes of heap. */
export interface HeapFigures {
  readonly bare: number;
  readonly own: number;
  /** Once they were searched, too. */
  readonly searched: number;
}

/** The first of them compile code; all that they make stays, since the engine forgets code that nothing is left for. */
const ROUNDS = 9;

/** What 36 servers of this process with 20 tools each hold: as bare clients, and in the core. Medians of rounds in turn. */
export async function heapOfServers(): Promise<HeapFigures> {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-heap-'));
  const rigs: Rig[] = [];
  const open = (): Promise<Rig> => {
    const rig = openRig(path.join(folder, `${rigs.length}`));
    rigs.push(rig);
    return ours(rig);
  };
  const bare: number[] = [];
  const own: number[] = [];
  const searched: number[] = [];
  let before = await heapAfterGc();
  /** Bytes of heap that what `make` makes holds. */
  const held = async (make: () => Promise<unknown>): Promise<number> => {
    await make();
    const after = await heapAfterGc();
    const bytes = after - before;
    before = after;
    return bytes;
  };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      if (round % 2 === 0) bare.push(await held(bareClients));
      const connected = await held(open);
      own.push(connected);
      searched.push(connected + (await held(async () => search(rigs.at(-1)))));
      if (round % 2 === 1) bare.push(await held(bareClients));
    }
  } finally {
    await Promise.all(rigs.map((rig) => rig.stop()));
    await Promise.all(clients.splice(0).map((client) => client.close()));
    lists.length = 0;
    rmSync(folder, { recursive: true, force: true });
  }
  return { bare: median(bare), own: median(own), searched: median(searched) };
}
