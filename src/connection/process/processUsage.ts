import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { powerShell } from './powerShell.ts';
import { readProcessTable } from './processTable.ts';
import { descendants } from './startedTree.ts';

/** What a process and all that descend from it use. */
export interface ProcessUse {
  /** Resident memory, in bytes; what several share counts for each. */
  readonly memoryBytes: number;
  /** Processor time since they began, in milliseconds. */
  readonly cpuMs: number;
  readonly processes: number;
}

interface UseRow {
  readonly pid: number;
  readonly parent: number;
  readonly memoryBytes: number;
  readonly cpuMs: number;
}

/** Runs a program and gives what it prints. */
export type ReadOutput = (file: string, args: readonly string[]) => Promise<string>;

/**
 * Measures once: Linux reads /proc (2 ms), macOS asks `ps`, Windows its management interface (most of a second).
 * @param leader the process id of the server
 * @returns `undefined` where it can't be measured, or there is no such process. Never throws
 */
export async function readProcessUse(
  leader: number,
  platform: NodeJS.Platform,
  output: ReadOutput = run,
): Promise<ProcessUse | undefined> {
  try {
    const rows = await rowsOf(leader, platform, output);
    const own = descendants(rows, leader);
    if (own.length === 0) return undefined;
    return {
      memoryBytes: own.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
      cpuMs: own.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
      processes: own.length,
    };
  } catch {
    return undefined;
  }
}

async function rowsOf(leader: number, platform: NodeJS.Platform, output: ReadOutput): Promise<readonly UseRow[]> {
  switch (platform) {
    case 'linux': {
      const tree = descendants(await readProcessTable('linux', 'younger'), leader);
      return tree.flatMap(({ pid, parent }) => linuxRow(pid, parent));
    }
    case 'darwin':
      return parsePsUse(await output('/bin/ps', ['-axo', 'pid=,ppid=,rss=,time=']));
    case 'win32':
      return parseCimUse(await output(...powerShell(CIM)));
    default:
      return [];
  }
}

/** User space gets clock ticks of 1/100 s on all of Linux's systems that the editor runs on (proc(5): USER_HZ). */
const TICK_MS = 10;

function linuxRow(pid: number, parent: number): readonly UseRow[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const memoryKB = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0;
    const cpuMs = (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    return [{ pid, parent, memoryBytes: Number(memoryKB) * 1024, cpuMs }];
  } catch {
    return [];
  }
}

/** What `ps -axo pid=,ppid=,rss=,time=` of macOS prints: kilobytes, and `[[days-]hours:]minutes:seconds.hundredths`. Pure. */
export function parsePsUse(text: string): readonly UseRow[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, memoryKB, time] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s*$/.exec(line) ?? [];
    if (time === undefined) return [];
    const [clock = '', days = '0'] = time.split('-').toReversed();
    const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) + Number(days) * 86_400;
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        memoryBytes: Number(memoryKB) * 1024,
        cpuMs: Math.round(seconds * 1000),
      },
    ];
  });
}

/** Asks Windows for every process: its id, its parent's, its memory, its time. */
const CIM =
  "Get-CimInstance Win32_Process | ForEach-Object { '{0} {1} {2} {3}' -f $_.ProcessId, $_.ParentProcessId, $_.WorkingSetSize, ($_.KernelModeTime + $_.UserModeTime) }";

/** What `CIM` prints: bytes, and units of 100 ns. Pure. */
export function parseCimUse(text: string): readonly UseRow[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, memoryBytes, ticks] = /^(\d+) (\d+) (\d+) (\d+)\s*$/.exec(line) ?? [];
    if (ticks === undefined) return [];
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        memoryBytes: Number(memoryBytes),
        cpuMs: Math.round(Number(ticks) / 10_000),
      },
    ];
  });
}

async function run(file: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(file, [...args], {
    maxBuffer: 16 * 1024 * 1024,
    windowsHide: true,
    timeout: 5_000,
    ...(process.platform === 'win32' ? { cwd: process.env['SystemRoot'] } : { env: { LC_ALL: 'C' } }),
  });
  return stdout;
}
