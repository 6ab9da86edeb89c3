// One side of the benchmark `start`, in a process of its own and bundled as the extension is: real servers, three at a time, by the
// core with the gateway in front, or by a bare loop over the SDK. Prints when the first tools were there and when all were.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { Gateway } from '../../src/bridge/gateway/gateway.ts';
import { FileStore } from '../../src/platform/fileStore.ts';
import { TestHost } from '../../test/support/testHost.ts';

/** Milliseconds from the beginning. */
export interface StartTimes {
  readonly firstMs: number;
  readonly allMs: number;
}

interface Server {
  readonly id: string;
  readonly args: readonly string[];
}

const CONCURRENCY = 3;
const command = process.execPath;

async function bareLoop(servers: readonly Server[]): Promise<StartTimes> {
  const env = Object.fromEntries(Object.entries(process.env).filter((pair): pair is [string, string] => !!pair[1]));
  const began = performance.now();
  let firstMs = Number.NaN;
  const clients: Client[] = [];
  const queue = [...servers];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const client = new Client({ name: 'bench', version: '0.0.0' });
      await client.connect(new StdioClientTransport({ command, args: [...next.args], env, stderr: 'ignore' }));
      await client.listTools();
      if (clients.push(client) === 1) firstMs = performance.now() - began;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  const allMs = performance.now() - began;
  await Promise.all(clients.map((client) => client.close()));
  return { firstMs, allMs };
}

/** As a window does: the configuration read, the servers approved earlier, the tools kept in files, the processes recorded. */
async function ours(servers: readonly Server[]): Promise<StartTimes> {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-bench-start-'));
  const file = path.join(folder, 'mcp.json');
  const entries = servers.map(({ id, args }) => [id, { command, args }]);
  writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
  const began = performance.now();
  const test = new TestHost({
    folder,
    own: { file },
    settings: { localConcurrency: CONCURRENCY },
    ports: { stateDir: folder, toolStore: new FileStore(path.join(folder, 'tools'), silentLogger) },
  });
  const { host } = test;
  const gateway = new Gateway({
    host,
    clock: systemClock,
    wording: { choiceOf: () => ({ message: '', field: '', labels: [] }), answerOf: () => undefined },
    version: '0',
    settings: () => ({ exposure: 'auto' }),
  });
  await Promise.all([host.start(), gateway.start()]);
  await test.until(() => host.catalog.tools.length > 0);
  const firstMs = performance.now() - began;
  await test.until(() => host.pool.all.every(({ state }) => state.kind === 'connected'), 120_000);
  const allMs = performance.now() - began;
  gateway.dispose();
  await test.stop();
  rmSync(folder, { recursive: true, force: true });
  return { firstMs, allMs };
}

const [side, servers = '[]'] = process.argv.slice(2);
const run = side === 'bare' ? bareLoop : ours;
console.log(JSON.stringify(await run(JSON.parse(servers) as Server[])));
process.exit(0);
