// npm run -s bench -- orphans [--peer NAME …]
//
// What is left when the client dies by kill -9: 3 servers, one that ends with its input, one that doesn't, and one that has started
// a process of its own. Counted after 5 s, and ended then. Not on Windows.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { eventually } from '../test/support/eventually.ts';
import { report } from './connection/report.ts';
import { ours } from './peers/ours.ts';
import type { Peer } from './peers/peer.ts';
import { sdkV1, sdkV2 } from './peers/sdk.ts';

const PEERS: Readonly<Record<string, () => Peer>> = { ours, 'sdk v1': sdkV1, 'sdk v2': sdkV2 };
const KINDS = ['obedient', 'deaf', 'parent'];
const LEFT_MS = 5_000;

const { values } = parseArgs({
  options: { peer: { type: 'string', multiple: true }, child: { type: 'string' }, pids: { type: 'string' } },
});

/** Writes its pid, and that of what it starts, a line each. */
const SERVER = `
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const [kind, pids] = process.argv.slice(2);
appendFileSync(pids, process.pid + '\\n');
if (kind === 'parent')
  appendFileSync(pids, spawn('sleep', ['600'], { stdio: 'ignore', detached: true }).pid + '\\n');
if (kind !== 'obedient') { setInterval(() => undefined, 1000); process.on('SIGTERM', () => undefined); }
const answers = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'o', version: '1' } },
  'tools/list': { tools: [] },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method] ? { result: answers[method] } : { error: { code: -32601, message: 'no' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
});
`;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // What has ended and waits for its parent to look isn't left.
    return !/^State:\s+Z/m.test(existsSync('/proc') ? readFileSync(`/proc/${pid}/status`, 'utf8') : '');
  } catch {
    return false;
  }
};

async function hold(name: string, pids: string): Promise<void> {
  const server = path.join(path.dirname(pids), 'server.mjs');
  const peer = PEERS[name]?.();
  for (const kind of KINDS) await peer?.open({ type: 'stdio', command: process.execPath, args: [server, kind, pids] });
  writeFileSync(`${pids}.ready`, '');
  setInterval(() => undefined, 1_000);
}

async function leftOf(name: string): Promise<readonly [left: number, of: number]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-orphans-'));
  const pids = path.join(folder, 'pids');
  writeFileSync(path.join(folder, 'server.mjs'), SERVER);
  const child = spawn(process.execPath, [import.meta.filename, '--child', name, '--pids', pids], { stdio: 'inherit' });
  await eventually(`${name} to open its servers`, () => existsSync(`${pids}.ready`), 60_000);
  child.kill('SIGKILL');
  await pause(LEFT_MS);
  const all = readFileSync(pids, 'utf8').trim().split('\n').map(Number);
  const left = all.filter(isAlive);
  for (const pid of left) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return [left.length, all.length];
}

if (values.child !== undefined) await hold(values.child, values.pids ?? '');
else {
  const figures: Record<string, number> = {};
  // A client may start a server twice, to find out which protocol it speaks.
  for (const name of values.peer ?? Object.keys(PEERS)) [figures[name], figures[`${name} of`]] = await leftOf(name);
  report('orphans', figures, { ours: '<= 0' });
}
