// npm run -s bench -- soak [--seconds N]
//
// Random faults on 12 servers, 8 local and 4 remote, with calls running. Ends with: every call answered or failed with
// a reason, no state out of line with the process table, nothing leaked, hardly any growth of the heap. Linux only.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { SwitchboardError } from '../src/base/errors.ts';
import { LeakTracker } from '../src/base/disposable.ts';
import { benchPool, benchTarget } from './connection/pool.ts';
import { markedProcesses } from './connection/processes.ts';
import { heapAfterGc, option, report } from './connection/report.ts';

const seconds = option('seconds', 60);
const LOCAL = 8;
const WARM_UP = 0.25;
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
const pool = benchPool(
  { reconnect: { initialDelayMs: 20, maxDelayMs: 200, maxAttempts: 1_000_000 } },
  { hostEnvironment: { ...process.env, SOAK_MARK: String(process.pid) } },
);
const chaos = fileURLToPath(new URL('./connection/chaosServer.ts', import.meta.url));
const stdio = { type: 'stdio' as const, command: process.execPath, args: [chaos], env: {} };
const ids = Array.from({ length: LOCAL + urls.length }, (_, index) => `server-${index}`);
pool.reconcile(
  ids.map((id, index) => {
    const url = urls[index - LOCAL];
    return benchTarget(id, url === undefined ? stdio : { type: 'http', url, headers: {} });
  }),
);

const outcomes = new Map<string, number>();
const count = (outcome: string): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
let asked = 0;

async function call(id: string, index: number): Promise<void> {
  asked++;
  const aborter = new AbortController();
  if (Math.random() < 0.05) setTimeout(() => aborter.abort(), Math.random() * 200);
  try {
    const session = await pool.ready(id, 500, aborter.signal);
    const options = { timeoutMs: 400, signal: aborter.signal };
    if (index < LOCAL) await session.callTool('act', { do: pick(ACTS) }, options);
    else await session.callTool('slow', { steps: 1, stepMs: Math.floor(Math.random() * 100) }, options);
    count('answered');
  } catch (error) {
    count(error instanceof SwitchboardError && error.message ? error.code : `unexplained: ${String(error)}`);
  }
}

/** One who uses a server, and now and then restarts, stops and starts it. */
async function user(id: string, index: number, until: number): Promise<void> {
  while (performance.now() < until) {
    const dice = Math.random();
    if (dice < 0.01) await pool.restart(id);
    else if (dice < 0.02) await pool.disconnect(id).then(() => pool.connect(id));
    else await call(id, index);
    await pause(Math.random() * 30);
  }
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
  await Promise.all(ids.flatMap((id, index) => [user(id, index, until), user(id, index, until)]));
  remotes.send('calm');
  return mismatches();
}

let wrong = await soakFor(seconds * 1000 * WARM_UP);
const heapBefore = await heapAfterGc();
const leaksBefore = leaks.leaks.length;
wrong += await soakFor(seconds * 1000 * (1 - WARM_UP));
const heapGrowth = (await heapAfterGc()) - heapBefore;
const disposableGrowth = leaks.leaks.length - leaksBefore;

await pool.stopAll({ afterEofMs: 1000, afterTermMs: 1000 });
pool.dispose();
remotes.disconnect();
await once(remotes, 'exit');
for (const until = performance.now() + 10_000; performance.now() < until && markedProcesses(MARK).length > 0;)
  await pause(50);
const answered = outcomes.get('answered') ?? 0;
const unexplained = [...outcomes].filter(([name]) => name.startsWith('unexplained'));
for (const [name, times] of [...outcomes].sort((a, b) => b[1] - a[1]))
  console.log(`${String(times).padStart(8)} ${name}`);
const settled = [...outcomes.values()].reduce((sum, times) => sum + times, 0);
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
    unanswered: asked - settled,
    unexplained: unexplained.length,
    stateMismatches: wrong,
    leakedProcesses: markedProcesses(MARK).length,
    leakedDisposables: leaks.leaks.length,
    disposableGrowthWhileRunning: disposableGrowth,
    leakedHandles,
    heapGrowthMiB: heapGrowth / MIB,
  },
  {
    unanswered: '<= 0',
    unexplained: '<= 0',
    stateMismatches: '<= 0',
    leakedProcesses: '<= 0',
    leakedDisposables: '<= 0',
    leakedHandles: '<= 0',
    heapGrowthMiB: '<= 5',
  },
);
process.exit(0);
