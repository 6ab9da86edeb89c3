// npm run -s bench -- soak [--seconds N]
//
// Random faults on 12 servers, 8 local and 4 remote, with calls running: through the broker, with its questions, turns, results and
// ledger, and by clients of the gateway. Ends with: every call answered or failed with a reason, none that hangs, no state out of
// line with the process table, nothing leaked, hardly any growth of the heap. Linux only.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { systemClock } from '../src/base/clock.ts';
import { LeakTracker } from '../src/base/disposable.ts';
import { SwitchboardError } from '../src/base/errors.ts';
import { silentLogger } from '../src/base/log.ts';
import { Gateway } from '../src/bridge/gateway/gateway.ts';
import { FileStore } from '../src/platform/fileStore.ts';
import { TestHost } from '../test/support/testHost.ts';
import { wording } from '../test/unit/bridge/gatewayRig.ts';
import { markedProcesses } from './connection/processes.ts';
import { heapAfterGc, option, report } from './connection/report.ts';

const seconds = option('seconds', 60);
const LOCAL = 8;
const WARM_UP = 0.25;
const CALL_MS = 400;
/** A call that isn't over by then hangs: each step of one has a shorter time-out. */
const HANGS_MS = 30_000;
const ACTS = ['ok', 'ok', 'ok', 'ok', 'exit', 'kill', 'hang', 'half', 'noise', 'stderr', 'wrong-id', 'big', 'changed'];
const MARK = `SOAK_MARK=${process.pid}`;
const MIB = 1024 * 1024;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;
const leaks = new LeakTracker();
leaks.install();

// Node opens these on first use; they are no leak.
for (const stream of [process.stdout, process.stderr]) stream.write('');
const handlesBefore = process.getActiveResourcesInfo().length;
const remotes = fork(fileURLToPath(new URL('./connection/remoteServers.ts', import.meta.url)), { stdio: 'inherit' });
const [urls] = (await once(remotes, 'message')) as [string[]];
const chaos = fileURLToPath(new URL('./connection/chaosServer.ts', import.meta.url));
const stdio = { command: process.execPath, args: [chaos], env: { SOAK_MARK: String(process.pid) } };
const names = Array.from({ length: LOCAL + urls.length }, (_, index) => `soak-${index}`);
const stateDir = mkdtempSync(path.join(tmpdir(), 'switchboard-soak-'));
const rig = new TestHost({
  answer: 'once',
  settings: {
    callTimeoutMs: CALL_MS,
    reconnect: { initialDelayMs: 20, maxDelayMs: 200, maxAttempts: 1_000_000 },
  },
  ports: {
    stateDir,
    toolStore: new FileStore(path.join(stateDir, 'tools'), silentLogger),
  },
});
const { host } = rig;
const { pool } = host;
const entries = names.map((name, index) => [name, index < LOCAL ? stdio : { type: 'http', url: urls[index - LOCAL] }]);
writeFileSync(path.join(rig.folder, '.mcp.json'), JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
const settings = (): { readonly exposure: 'native' } => ({ exposure: 'native' });
const gateway = new Gateway({ host, clock: systemClock, wording, version: '0', settings });
await host.start();
await gateway.start();
await rig.approveAll();
const ids = names.map((name) => pool.all.find((connection) => connection.name === name)?.id ?? '');
/** What the tools are called, by server: names last. */
const toolOf = ids.map((id, index) => {
  const tool = index < LOCAL ? 'act' : 'slow';
  return host.catalog.toolsOf(id).find(({ tool: { name } }) => name === tool)?.name ?? '';
});
if (toolOf.includes('')) throw new Error('a server lists no tool to call');

const outcomes = new Map<string, number>();
const count = (outcome: string): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
let asked = 0;

/** Calls a tool, and counts what becomes of it: also that nothing does. */
async function call(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
  asked++;
  const aborter = new AbortController();
  if (Math.random() < 0.05) setTimeout(() => aborter.abort(), Math.random() * 200);
  const running = run(aborter.signal).then(
    () => 'answered',
    (error: unknown) => {
      if (error instanceof SwitchboardError && error.message) return error.code;
      return `unexplained: ${String(error)}`;
    },
  );
  let limit: NodeJS.Timeout | undefined;
  const hanging = new Promise<string>((resolve) => (limit = setTimeout(resolve, HANGS_MS, 'hangs')));
  count(await Promise.race([running, hanging]));
  clearTimeout(limit);
}

function argumentsFor(index: number): Record<string, string | number> {
  return index < LOCAL ? { do: pick(ACTS) } : { steps: 1, stepMs: Math.floor(Math.random() * 100) };
}

/** One who uses a server through the broker, and now and then restarts, stops and starts it. */
async function user(index: number, until: number): Promise<void> {
  const [id = '', name = ''] = [ids[index], toolOf[index]];
  while (performance.now() < until) {
    const dice = Math.random();
    if (dice < 0.01) await pool.restart(id);
    else if (dice < 0.02) await pool.disconnect(id).then(() => pool.connect(id));
    else
      await call(async (signal) => {
        await host.broker.call({ name, args: argumentsFor(index), surface: 'lm-tool', signal });
      });
    await pause(Math.random() * 30);
  }
}

/** One who uses it as the editor does: a client of its endpoint of the gateway. */
async function client(index: number, until: number): Promise<void> {
  const endpoint = gateway.endpoints.find(({ serverId }) => serverId === ids[index]);
  if (!endpoint) throw new Error('a server has no endpoint');
  const connection = new Client({ name: 'soak', version: '0' });
  const requestInit = { headers: { authorization: `Bearer ${gateway.token}` } };
  await connection.connect(new StreamableHTTPClientTransport(new URL(endpoint.url), { requestInit }));
  const name = index < LOCAL ? 'act' : 'slow';
  while (performance.now() < until) {
    await call(async (signal) => {
      const params = { name, arguments: argumentsFor(index) };
      const { isError, content } = await connection.callTool(params, { signal }).catch((error: unknown) => {
        if (signal.aborted) throw new SwitchboardError('call-cancelled', 'The call was cancelled.');
        throw error;
      });
      if (isError === true && JSON.stringify(content).length > 40)
        throw new SwitchboardError('tool-error', 'The gateway says why.');
    });
    await pause(Math.random() * 30);
  }
  await connection.close();
}

/** Everybody holds still: is each state what the process table says? Returns how many aren't. */
async function mismatches(): Promise<number> {
  const deadline = performance.now() + 20_000;
  while (performance.now() < deadline && mismatchesNow().length > 0) await pause(50);
  const wrong = mismatchesNow();
  for (const line of wrong) console.log(`mismatch: ${line}`);
  return wrong.length;
}

function mismatchesNow(): readonly string[] {
  const real = new Set(markedProcesses(MARK));
  const wrong: string[] = [];
  for (const { name, state, session } of pool.all) {
    if (state.kind !== 'connected') wrong.push(`${name} is ${JSON.stringify(state)}`);
    const pid = session?.info.pid;
    if (pid !== undefined && !real.delete(pid)) wrong.push(`${name} has no process ${pid}`);
  }
  for (const pid of real) wrong.push(`nobody knows the process ${pid}`);
  return wrong;
}

async function soakFor(ms: number): Promise<number> {
  remotes.send('upset');
  const until = performance.now() + ms;
  await Promise.all(ids.flatMap((_, index) => [user(index, until), client(index, until)]));
  remotes.send('calm');
  return mismatches();
}

let wrong = await soakFor(seconds * 1000 * WARM_UP);
const heapBefore = await heapAfterGc();
const leaksBefore = leaks.leaks.length;
wrong += await soakFor(seconds * 1000 * (1 - WARM_UP));
const heapGrowth = (await heapAfterGc()) - heapBefore;
const disposableGrowth = leaks.leaks.length - leaksBefore;

gateway.dispose();
await rig.stop();
rmSync(stateDir, { recursive: true, force: true });
remotes.disconnect();
await once(remotes, 'exit');
for (const until = performance.now() + 10_000; performance.now() < until && markedProcesses(MARK).length > 0;)
  await pause(50);
const answered = outcomes.get('answered') ?? 0;
const unexplained = [...outcomes].filter(([name]) => name.startsWith('unexplained'));
for (const [name, times] of [...outcomes].sort((a, b) => b[1] - a[1]))
  console.log(`${String(times).padStart(8)} ${name}`);
// A process that was told to end takes a moment.
for (const until = performance.now() + 5_000; performance.now() < until;) {
  if (process.getActiveResourcesInfo().length <= handlesBefore) break;
  await pause(50);
}
const handles = process.getActiveResourcesInfo();
const leakedHandles = Math.max(0, handles.length - handlesBefore);
if (leakedHandles > 0) console.log(`open: ${handles.join(', ')}`);
for (const where of leaks.leaks.slice(0, 3)) console.log(where);
report(
  'soak',
  {
    seconds,
    calls: asked,
    answered,
    hanging: outcomes.get('hangs') ?? 0,
    unexplained: unexplained.length,
    stateMismatches: wrong,
    leakedProcesses: markedProcesses(MARK).length,
    leakedDisposables: leaks.leaks.length,
    disposableGrowthWhileRunning: disposableGrowth,
    leakedHandles,
    heapGrowthMiB: heapGrowth / MIB,
  },
  {
    hanging: '<= 0',
    unexplained: '<= 0',
    stateMismatches: '<= 0',
    leakedProcesses: '<= 0',
    leakedDisposables: '<= 0',
    leakedHandles: '<= 0',
    heapGrowthMiB: '<= 5',
  },
);
process.exit(0);
