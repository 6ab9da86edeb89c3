// npm run -s bench -- parallel
//
// A hundred reading calls at once, at a server that takes 20 ms for each and at one that answers at once: through the whole
// host, against the bare SDK client. The sides take turns, and which is first alternates.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { TestHost } from '../test/support/testHost.ts';
import { median, option, report } from './connection/report.ts';

const AT_ONCE = 100;
const rounds = option('rounds', 25);
const command = process.execPath;
const file = fileURLToPath(new URL('./connection/echoServer.ts', import.meta.url));

/** Milliseconds of each side. */
async function measured(delayMs: number): Promise<{ readonly host: number; readonly client: number }> {
  const args = [file, '--delay', String(delayMs)];
  const testHost = new TestHost();
  writeFileSync(join(testHost.folder, '.mcp.json'), JSON.stringify({ mcpServers: { echo: { command, args } } }));
  await testHost.host.start();
  await testHost.approveAll();
  const [tool] = testHost.host.catalog.tools;
  if (!tool) throw new Error('the echo server did not connect');
  const client = new Client({ name: 'bench', version: '0.0.0' });
  await client.connect(new StdioClientTransport({ command, args }));
  await client.listTools();

  const signal = new AbortController().signal;
  const sides: Record<'host' | 'client', (text: string) => Promise<unknown>> = {
    host: async (text) => testHost.host.broker.call({ name: tool.name, args: { text }, surface: 'test', signal }),
    client: (text) => client.callTool({ name: 'echo', arguments: { text } }),
  };
  const times: Record<'host' | 'client', number[]> = { host: [], client: [] };
  for (let round = -5; round < rounds; round++) {
    const order = ['host', 'client'] as const;
    for (const side of round % 2 === 0 ? order : order.toReversed()) {
      const began = performance.now();
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => sides[side](`text ${index}`)));
      // The first rounds warm up.
      if (round >= 0) times[side].push(performance.now() - began);
    }
  }
  await testHost.stop();
  await client.close();
  return { host: median(times.host), client: median(times.client) };
}

const slow = await measured(20);
const instant = await measured(0);
const figures = {
  hostMs: slow.host,
  clientMs: slow.client,
  ratio: slow.host / slow.client,
  instantHostMs: instant.host,
  instantClientMs: instant.client,
  instantRatio: instant.host / instant.client,
};
report('parallel', figures, { ratio: '<= 1.1', instantRatio: '<= 0.8' });
