// npm run -s bench -- call [--calls N]
//
// What a call costs: through the whole host (policy, validation, broker) and through a session alone, against the bare
// SDK client, and against a hand-written client, all on the same echo server. Blocks of calls alternate, and so does
// which side is first; medians, and the slowest of a hundred;
// medians of those of several processes. `--once`: in this one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { TestHost } from '../test/support/testHost.ts';
import { isOnce, mediansOf } from './connection/freshProcesses.ts';
import { RawClient } from './connection/rawClient.ts';
import { median, option, quantile, report } from './connection/report.ts';

const GOALS = { hostP50Ratio: '<= 1.2', hostCpuRatio: '<= 1.3' } as const;
if (!isOnce) {
  report('call', mediansOf(import.meta.filename, 7), GOALS);
  process.exit(0);
}
const calls = option('calls', 4000);
const BLOCK = 200;
const command = process.execPath;
const args = [fileURLToPath(new URL('./connection/echoServer.ts', import.meta.url))];

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

const signal = new AbortController().signal;
const sides: Record<string, (text: string) => Promise<unknown>> = {
  host: (text) => testHost.host.broker.call({ name: tool.name, args: { text }, surface: 'test', signal }),
  session: (text) => session.callTool('echo', { text }, { timeoutMs: 60_000 }),
  client: (text) => client.callTool({ name: 'echo', arguments: { text } }),
  raw: (text) => raw.request('tools/call', { name: 'echo', arguments: { text } }),
};

const times: Record<string, number[]> = {};
const cpu: Record<string, number[]> = {};
for (let done = -BLOCK * 2; done < calls; done += BLOCK) {
  const order = Object.entries(sides);
  for (const [name, call] of (done / BLOCK) % 2 === 0 ? order : order.toReversed()) {
    const begun = process.cpuUsage();
    for (let index = 0; index < BLOCK; index++) {
      const start = performance.now();
      await call(`text ${index}`);
      // The first blocks warm up.
      if (done >= 0) (times[name] ??= []).push((performance.now() - start) * 1000);
    }
    const { user, system } = process.cpuUsage(begun);
    if (done >= 0) (cpu[name] ??= []).push((user + system) / BLOCK);
  }
}
await testHost.stop();
await client.close();
raw.close();

const figures: Record<string, number> = {};
for (const name of Object.keys(sides)) {
  figures[`${name}P50Us`] = median(times[name] ?? []);
  figures[`${name}P99Us`] = quantile(times[name] ?? [], 0.99);
  figures[`${name}CpuUs`] = median(cpu[name] ?? []);
}
for (const side of ['host', 'session']) {
  figures[`${side}P50Ratio`] = (figures[`${side}P50Us`] ?? Number.NaN) / (figures['clientP50Us'] ?? Number.NaN);
  figures[`${side}CpuRatio`] = (figures[`${side}CpuUs`] ?? Number.NaN) / (figures['clientCpuUs'] ?? Number.NaN);
}
report('call', figures, GOALS);
process.exit(0);
