// npm run -s bench -- idle [--seconds N] [--windows N]
//
// What servers cost of which nobody asks anything. How often the core with 36 connected servers wakes its thread: for itself
// (`wakesPer10s`), and in all, as the system counts it, with the engine, which looks every 8 s whether memory can be freed. And what a window with 10 real servers takes of the machine's memory, each page that processes share divided among
// them, from which 16 windows are computed. Linux only.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../scripts/lib/paths.mjs';
import { realServers } from './connection/realServers.ts';
import { option, report } from './connection/report.ts';

const seconds = option('seconds', 40);
const WINDOWS = option('windows', 2);
const ALL_WINDOWS = 16;
const SERVERS = 10;
/** What belongs to connecting is over by then. */
const SETTLE_MS = 12_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const echo = path.join(root, 'bench/connection/echoServer.ts');

async function openWindow(servers: readonly object[]): Promise<ChildProcess> {
  const window = fork(path.join(root, 'bench/idle/window.ts'), [JSON.stringify(servers)]);
  await once(window, 'message');
  return window;
}

async function close(window: ChildProcess): Promise<void> {
  window.send('close');
  await once(window, 'exit');
}

/** How often its main thread went to sleep: once for each time that it was woken. */
function sleeps({ pid = 0 }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/task/${pid}/status`, 'utf8');
  return Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(status)?.[1]);
}

/** A process and all that it started. */
function treeOf(pid: number): readonly number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): (readonly [number, number])[] => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        return [[Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]];
      } catch {
        return [];
      }
    });
  const found = [pid];
  for (const one of found) found.push(...parents.flatMap(([child, parent]) => (parent === one ? [child] : [])));
  return found;
}

/** Memory of a process with its part of what it shares, in MiB. */
function memoryOf(pid: number): number {
  return Number(/^Pss:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024;
}

const idle = await openWindow(Array.from({ length: 36 }, (_, index) => ({ id: `server-${index}`, args: [echo] })));
await pause(SETTLE_MS);
async function wakes(): Promise<number> {
  idle.send('wakes');
  return ((await once(idle, 'message')) as [number])[0];
}
const [before, sleptBefore] = [await wakes(), sleeps(idle)];
await pause(seconds * 1000);
const slept = sleeps(idle) - sleptBefore;
const woke = (await wakes()) - before;
await close(idle);

const windows: ChildProcess[] = [];
for (let count = 0; count < WINDOWS; count += 1) windows.push(await openWindow(realServers.slice(0, SERVERS)));
await pause(SETTLE_MS);
const trees = windows.map(({ pid = 0 }) => treeOf(pid));
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const hostMiB = sum(windows.map(({ pid = 0 }) => memoryOf(pid))) / WINDOWS;
const windowMiB = sum(trees.flat().map(memoryOf)) / WINDOWS;
const processes = sum(trees.map((tree) => tree.length - 1)) / WINDOWS;
for (const window of windows) await close(window);
report(
  'idle',
  {
    wakesPer10s: woke / (seconds / 10),
    allWakesPer10s: slept / (seconds / 10),
    windows: WINDOWS,
    hostMiB,
    serversMiB: windowMiB - hostMiB,
    processes,
    computedProcesses: processes * ALL_WINDOWS,
    computedServersGiB: ((windowMiB - hostMiB) * ALL_WINDOWS) / 1024,
  },
  { wakesPer10s: '<= 1' },
);
process.exit(0);
