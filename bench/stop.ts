// npm run -s bench -- stop [--rounds N]
//
// Stopping 36 servers beside 300 other processes, as a window does that closes, against closing as many bare clients; and how
// long one piece of work holds the thread meanwhile.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { TestHost } from '../test/support/testHost.ts';
import { median, option, report } from './connection/report.ts';
import { watchSlices } from './scale/processorTime.ts';

const rounds = option('rounds', 5);
const SERVERS = 36;
const OTHERS = 300;
const GRACE = { afterEofMs: 1_000, afterTermMs: 1_000 };
const command = process.execPath;
const args = [fileURLToPath(new URL('./connection/echoServer.ts', import.meta.url))];

async function ours(): Promise<{ readonly ms: number; readonly sliceMs: number }> {
  const stateDir = mkdtempSync(join(tmpdir(), 'switchboard-bench-stop-'));
  const test = new TestHost({ settings: { localConcurrency: 6 }, ports: { stateDir } });
  const servers = Object.fromEntries(Array.from({ length: SERVERS }, (_, index) => [`s${index}`, { command, args }]));
  writeFileSync(join(test.folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
  await test.host.start();
  await test.approveAll();
  const watch = watchSlices();
  const began = performance.now();
  await test.host.stop(GRACE);
  const ms = performance.now() - began;
  const sliceMs = watch.stop();
  await test.stop();
  rmSync(stateDir, { recursive: true, force: true });
  return { ms, sliceMs };
}

async function bare(): Promise<number> {
  const clients: Client[] = [];
  let left = SERVERS;
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      const client = new Client({ name: 'bench', version: '0' });
      await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }));
      clients.push(client);
    }
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  const began = performance.now();
  await Promise.all(clients.map((client) => client.close()));
  return performance.now() - began;
}

const others = Array.from({ length: OTHERS }, () => spawn('sleep', ['3600'], { stdio: 'ignore' }));
const times = { ours: [] as number[], bare: [] as number[], slices: [] as number[] };
try {
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) times.bare.push(await bare());
    const { ms, sliceMs } = await ours();
    times.ours.push(ms);
    times.slices.push(sliceMs);
    if (round % 2 === 1) times.bare.push(await bare());
  }
} finally {
  for (const other of others) other.kill();
}
const figures = {
  stopMs: median(times.ours),
  bareMs: median(times.bare),
  ratio: median(times.ours) / median(times.bare),
  sliceMs: median(times.slices),
};
report('stop', figures, { ratio: '<= 1.5', sliceMs: '<= 16' });
process.exit(0);
