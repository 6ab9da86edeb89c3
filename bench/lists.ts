// npm run -s bench -- lists [--rounds N]
//
// One server lists very many tools: how long that holds the thread and what it takes of the processor, through the bare SDK
// client and through the whole host, in turn.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { silentLogger } from '../src/base/log.ts';
import { FileStore } from '../src/platform/fileStore.ts';
import { TestHost } from '../test/support/testHost.ts';
import { median, option, report } from './connection/report.ts';
import { cpuSince, watchSlices } from './scale/processorTime.ts';

const rounds = option('rounds', 5);
const TOOLS = 10_000;
const command = process.execPath;
const server = fileURLToPath(new URL('./connection/listServer.ts', import.meta.url));

/** What listing took, in milliseconds. */
interface Listing {
  readonly cpuMs: number;
  readonly sliceMs: number;
}

async function measured(work: () => Promise<unknown>): Promise<Listing> {
  const watch = watchSlices();
  const before = process.cpuUsage();
  await work();
  const cpuMs = cpuSince(before);
  return { cpuMs, sliceMs: watch.stop() };
}

async function bare(tools: number): Promise<Listing> {
  const client = new Client({ name: 'bench', version: '0.0.0' });
  await client.connect(new StdioClientTransport({ command, args: [server, String(tools)] }));
  const listing = await measured(async () => {
    const { tools: listed } = await client.listTools();
    if (listed.length !== tools) throw new Error(`${listed.length} tools`);
  });
  await client.close();
  return listing;
}

async function ours(tools: number): Promise<Listing> {
  const memory = mkdtempSync(join(tmpdir(), 'switchboard-bench-lists-'));
  // As in the product, what is remembered of tools lies in files.
  const test = new TestHost({ ports: { toolStore: new FileStore(memory, silentLogger) } });
  const entry = { command, args: [server, String(tools)] };
  writeFileSync(join(test.folder, '.mcp.json'), JSON.stringify({ mcpServers: { list: entry } }));
  await test.host.start();
  const listing = await measured(async () => {
    await test.approveAll();
    await test.until(() => test.host.catalog.tools.length === tools);
  });
  await test.stop();
  rmSync(memory, { recursive: true, force: true });
  return listing;
}

const of = (side: readonly Listing[], figure: keyof Listing): number => median(side.map((each) => each[figure]));
await bare(100);
await ours(100);
const sides = { bare: [] as Listing[], ours: [] as Listing[], most: [] as Listing[] };
for (let round = 0; round < rounds; round++) {
  const takes = [async () => sides.bare.push(await bare(TOOLS)), async () => sides.ours.push(await ours(TOOLS))];
  for (const take of round % 2 === 0 ? takes : takes.toReversed()) await take();
  // The bare client takes no list that is so long.
  sides.most.push(await ours(2 * TOOLS));
}
const figures = {
  tools: TOOLS,
  bareSliceMs: of(sides.bare, 'sliceMs'),
  sliceMs: of(sides.ours, 'sliceMs'),
  sliceRatio: of(sides.ours, 'sliceMs') / of(sides.bare, 'sliceMs'),
  cpuRatio: of(sides.ours, 'cpuMs') / of(sides.bare, 'cpuMs'),
  sliceOfTwiceMs: of(sides.most, 'sliceMs'),
  cpuOfTwiceMs: of(sides.most, 'cpuMs'),
};
report('lists', figures, { sliceRatio: '<= 1', sliceMs: '<= 50', sliceOfTwiceMs: '<= 50' });
