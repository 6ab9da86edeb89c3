// npm run -s bench -- parallel
//
// A hundred reading calls at once, at a server that takes 20 ms for each and at one that answers at once: through the whole
// host, against the bare SDK client; and through a session alone and a hand-written client, which show what of it is whose. The
// sides take turns, and which is first alternates; medians of several processes. `--once`: in this one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { TestHost } from '../test/support/testHost.ts';
import { isOnce, mediansOf } from './connection/freshProcesses.ts';
import { RawClient } from './connection/rawClient.ts';
import { median, option, quantile, report } from './connection/report.ts';

const GOALS = { ratio: '<= 1.1', instantRatio: '<= 0.8' } as const;
if (!isOnce) {
  report('parallel', mediansOf(import.meta.filename, 5), GOALS);
  process.exit(0);
}
const AT_ONCE = 100;
const rounds = option('rounds', 60);
/** Until all sides are compiled: the more code one has, the more calls that takes. */
const WARM_UP = 40;
const command = process.execPath;
const file = fileURLToPath(new URL('./connection/echoServer.ts', import.meta.url));

type Side = 'host' | 'session' | 'client' | 'raw';

/** Milliseconds of each side, for each round; the first is the first there is. */
async function measured(delayMs: number): Promise<Record<Side, readonly number[]>> {
  const args = [file, '--delay', String(delayMs)];
  const testHost = new TestHost();
  writeFileSync(join(testHost.folder, '.mcp.json'), JSON.stringify({ mcpServers: { echo: { command, args } } }));
  await testHost.host.start();
  await testHost.approveAll();
  const [tool] = testHost.host.catalog.tools;
  const session = testHost.host.pool.all[0]?.session;
  if (!tool || !session) throw new Error('the echo server did not connect');
  const client = new Client({ name: 'bench', version: '0.0.0' });
  await client.connect(new StdioClientTransport({ command, args }));
  await client.listTools();

  const raw = new RawClient(command, args);
  await raw.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'b', version: '0' },
  });

  const sides: Record<Side, (text: string) => Promise<unknown>> = {
    host: async (text) => {
      const { signal } = new AbortController();
      return testHost.host.broker.call({ name: tool.name, args: { text }, surface: 'test', signal });
    },
    session: (text) => session.callTool('echo', { text }, { timeoutMs: 60_000 }),
    client: (text) => client.callTool({ name: 'echo', arguments: { text } }),
    raw: (text) => raw.request('tools/call', { name: 'echo', arguments: { text } }),
  };
  const times: Record<Side, number[]> = { host: [], session: [], client: [], raw: [] };
  for (let round = -WARM_UP; round < rounds; round++) {
    const order = Object.keys(sides) as Side[];
    for (const side of round % 2 === 0 ? order : order.toReversed()) {
      const began = performance.now();
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => sides[side](`text ${index}`)));
      if (round >= 0 || round === -WARM_UP) times[side].push(performance.now() - began);
    }
  }
  await testHost.stop();
  await client.close();
  raw.close();
  return times;
}

const slow = await measured(20);
const instant = await measured(0);
const of = (times: readonly number[]): number => median(times.slice(1));
const figures = {
  hostMs: of(slow.host),
  clientMs: of(slow.client),
  ratio: of(slow.host) / of(slow.client),
  instantHostMs: of(instant.host),
  instantSessionMs: of(instant.session),
  instantClientMs: of(instant.client),
  instantRawMs: of(instant.raw),
  instantRatio: of(instant.host) / of(instant.client),
  instantSessionRatio: of(instant.session) / of(instant.client),
  instantRawRatio: of(instant.raw) / of(instant.client),
  instantHostP99Ms: quantile(instant.host.slice(1), 0.99),
  instantClientP99Ms: quantile(instant.client.slice(1), 0.99),
  // The first hundred calls of all, nothing compiled yet.
  firstHostMs: instant.host[0] ?? Number.NaN,
  firstClientMs: instant.client[0] ?? Number.NaN,
};
report('parallel', figures, GOALS);
process.exit(0);
