// node bench/memory/survivingBytes.ts
//
// How many bytes of a call outlive collections of young garbage, as a number on stdout: what is kept of it, and what is kept alive by what is
// dead, until all of the heap is looked through. By V8's samples of what is allocated; a hundred calls at once, through the whole host, at
// a server that answers at once. In a process of its own: the tests' watch over leaks keeps much more.
import { Session } from 'node:inspector/promises';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TestHost } from '../../test/support/testHost.ts';

const AT_ONCE = 100;
const CALLS = 20_000;
const SAMPLED_EACH_BYTES = 4096;
/** Calls until what the engine allocates in the old generation at once is decided. */
const WARM_UP = 20_000;

interface ProfileNode {
  readonly selfSize: number;
  readonly children: readonly ProfileNode[];
}

const testHost = new TestHost();
const server = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../connection/echoServer.ts', import.meta.url))],
};
writeFileSync(join(testHost.folder, '.mcp.json'), JSON.stringify({ mcpServers: { echo: server } }));
await testHost.host.start();
await testHost.approveAll();
const name = testHost.host.catalog.tools[0]?.name ?? '';

async function run(calls: number): Promise<void> {
  const call = (_: unknown, index: number): Promise<unknown> => {
    const { signal } = new AbortController();
    return testHost.host.broker.call({ name, args: { text: `text ${index}` }, surface: 'test', signal });
  };
  for (let done = 0; done < calls; done += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, call));
}

function sizeOf({ selfSize, children }: ProfileNode): number {
  return children.reduce((sum, child) => sum + sizeOf(child), selfSize);
}

await run(WARM_UP);
const inspector = new Session();
inspector.connect();
await inspector.post('HeapProfiler.enable');
await inspector.post('HeapProfiler.startSampling', {
  samplingInterval: SAMPLED_EACH_BYTES,
  includeObjectsCollectedByMajorGC: true,
  includeObjectsCollectedByMinorGC: false,
});
await run(CALLS);
const { profile } = await inspector.post('HeapProfiler.stopSampling');
await testHost.stop();
console.log(Math.round(sizeOf(profile.head) / CALLS));
process.exit(0);
