// npm run -s bench -- large [--rounds N]
//
// Large results: what a text of 1 MB takes of the processor through the whole host against a session alone, and structured
// content of 10 MB against reading and writing its JSON once, with the longest slice.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TestHost } from '../test/support/testHost.ts';
import { resultOf } from './connection/largeServer.ts';
import { median, option, report } from './connection/report.ts';
import { cpuSince, watchSlices } from './scale/processorTime.ts';

const rounds = option('rounds', 15);
const MB = 1_000_000;
const results = mkdtempSync(join(tmpdir(), 'switchboard-bench-large-'));
const test = new TestHost({ ports: { calls: { resultsFolder: results } } });
const entry = {
  command: process.execPath,
  args: [fileURLToPath(new URL('./connection/largeServer.ts', import.meta.url))],
};
writeFileSync(join(test.folder, '.mcp.json'), JSON.stringify({ mcpServers: { large: entry } }));
await test.host.start();
await test.approveAll();
const [tool] = test.host.catalog.tools;
const session = test.host.pool.all[0]?.session;
if (!tool || !session) throw new Error('the server did not connect');

const signal = new AbortController().signal;
const viaHost = (bytes: number, kind: string): Promise<unknown> =>
  test.host.broker.call({ name: tool.name, args: { bytes, kind }, surface: 'test', signal });
const json = resultOf(10 * MB, 'rows');
const sides: Readonly<Record<string, () => unknown>> = {
  host: () => viaHost(MB, 'text'),
  session: () => session.callTool('large', { bytes: MB, kind: 'text' }, { timeoutMs: 60_000 }),
  structured: () => viaHost(10 * MB, 'rows'),
  // Looking takes the processor, too.
  watched: () => viaHost(10 * MB, 'rows'),
  raw: () => JSON.stringify(JSON.parse(json)),
};
const cpu: Record<string, number[]> = {};
const slices: number[] = [];
for (let round = -2; round < rounds; round++) {
  const order = Object.entries(sides);
  for (const [name, work] of round % 2 === 0 ? order : order.toReversed()) {
    const watch = name === 'watched' ? watchSlices() : undefined;
    const before = process.cpuUsage();
    await work();
    const spent = cpuSince(before);
    const slice = watch?.stop();
    if (round < 0) continue;
    (cpu[name] ??= []).push(spent);
    if (slice !== undefined) slices.push(slice);
  }
}
await test.stop();
rmSync(results, { recursive: true, force: true });
const of = (name: string): number => median(cpu[name] ?? []);
report(
  'large',
  {
    hostCpuMs: of('host'),
    sessionCpuMs: of('session'),
    hostRatio: of('host') / of('session'),
    structuredCpuMs: of('structured'),
    rawCpuMs: of('raw'),
    structuredRatio: of('structured') / of('raw'),
    structuredSliceMs: median(slices),
  },
  { hostRatio: '<= 1.4', structuredRatio: '<= 1.6', structuredSliceMs: '<= 50' },
);
process.exit(0);
