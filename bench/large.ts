// npm run -s bench -- large [--rounds N]
//
// Large results: what a text of 1 MB takes of the processor through the whole host against a session alone, and structured
// content of 10 MB against reading and writing its JSON once, with the longest slice; what each of the steps takes alone; and the least
// that keeps the host's promises, in one go: a text of the session's is looked at and stored, and a structured result is collected from the
// pipe within the limits, read once, looked at and stored as the server wrote it.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jsonTextSteps } from '../src/base/json/jsonPieces.ts';
import { atOnce } from '../src/base/timeSlices.ts';
import { cleanText } from '../src/calls/results/cleanText.ts';
import { ResultFiles } from '../src/calls/results/resultFiles.ts';
import { CollectedText } from '../src/connection/reading/collectedText.ts';
import { readMessageSteps } from '../src/connection/reading/readMessages.ts';
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
const value: unknown = JSON.parse(json);
const text = 'A line of a log, as they are.\n'.repeat(MB / 30);
const line = `{"jsonrpc":"2.0","id":1,"result":${json}}`;
const bytes = Buffer.from(line);
const NEWLINE = 0x0a;
/** As a pipe gives them. */
const PIECE = 64 * 1024;
const files = new ResultFiles(results, Date.now);
const collected = (): unknown => {
  const whole = new CollectedText();
  for (let from = 0; from < bytes.length; from += PIECE) whole.push(bytes.subarray(from, from + PIECE));
  return whole.take();
};
const child = spawn(entry.command, entry.args, { stdio: ['pipe', 'pipe', 'inherit'] });
const promised = async (said: string): Promise<void> => {
  cleanText(said);
  await files.store(said);
};
const leastStructured = async (): Promise<void> => {
  const whole = new CollectedText();
  const params = { name: 'large', arguments: { bytes: 10 * MB, kind: 'rows' } };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
  for await (const piece of child.stdout.iterator({ destroyOnReturn: false })) {
    const last = (piece as Buffer).at(-1) === NEWLINE;
    whole.push(last ? (piece as Buffer).subarray(0, -1) : (piece as Buffer));
    if (last) break;
  }
  const said = whole.take();
  if (typeof said !== 'string') throw new Error('it is over the limit');
  JSON.parse(said);
  // The result's own text stands behind what each answer begins with.
  await promised(said.slice(line.indexOf(json), -1));
};
const sides: Readonly<Record<string, () => unknown>> = {
  host: () => viaHost(MB, 'text'),
  session: () => session.callTool('large', { bytes: MB, kind: 'text' }, { timeoutMs: 60_000 }),
  least: async () => {
    const { content } = await session.callTool('large', { bytes: MB, kind: 'text' }, { timeoutMs: 60_000 });
    for (const { text: said } of content) if (typeof said === 'string') await promised(said);
  },
  structured: () => viaHost(10 * MB, 'rows'),
  // Looking takes the processor, too.
  watched: () => viaHost(10 * MB, 'rows'),
  raw: () => JSON.stringify(JSON.parse(json)),
  leastStructured,
  // The steps of both.
  structuredSession: () => session.callTool('large', { bytes: 10 * MB, kind: 'rows' }, { timeoutMs: 60_000 }),
  collect: collected,
  read: () => atOnce(readMessageSteps(line)),
  write: () => atOnce(jsonTextSteps(value)),
  clean: () => cleanText(json),
  store: () => files.store(json),
  cleanText: () => cleanText(text),
  storeText: () => files.store(text),
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
child.stdin.end();
await test.stop();
rmSync(results, { recursive: true, force: true });
const of = (name: string): number => median(cpu[name] ?? []);
report(
  'large',
  {
    hostCpuMs: of('host'),
    sessionCpuMs: of('session'),
    hostRatio: of('host') / of('session'),
    leastCpuMs: of('least'),
    leastRatio: of('least') / of('session'),
    structuredCpuMs: of('structured'),
    rawCpuMs: of('raw'),
    structuredRatio: of('structured') / of('raw'),
    leastStructuredCpuMs: of('leastStructured'),
    leastStructuredRatio: of('leastStructured') / of('raw'),
    structuredSliceMs: median(slices),
    structuredSessionCpuMs: of('structuredSession'),
    ...Object.fromEntries(
      ['collect', 'read', 'write', 'clean', 'store', 'cleanText', 'storeText'].map((step) => [
        `${step}CpuMs`,
        of(step),
      ]),
    ),
  },
  { hostRatio: '<= 1.4', structuredRatio: '<= 1.6', structuredSliceMs: '<= 50' },
);
process.exit(0);
