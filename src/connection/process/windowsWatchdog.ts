// The process that ends servers on Windows when the extension host is killed. A file of its own, since it is a process of its own.
import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A process of Windows: `startMs` is when it began, in milliseconds since the epoch. */
export interface WindowsProcess {
  readonly pid: number;
  readonly parent: number;
  readonly startMs: number;
}

/** When a server was noted and when Windows says that it began differ by less. */
const TOLERANCE_MS = 5_000;
/** After a server has ended: others end at the same time, and asking Windows takes most of a second. */
const SETTLE_MS = 1_000;

/** Prints a line for each process: its id, its parent's, when it began. */
const QUERY =
  "Get-CimInstance Win32_Process | Where-Object CreationDate | ForEach-Object { '{0} {1} {2}' -f $_.ProcessId, $_.ParentProcessId, ([DateTimeOffset]$_.CreationDate).ToUnixTimeMilliseconds() }";

/** What `QUERY` prints. Pure. */
export function parseProcesses(text: string): readonly WindowsProcess[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, startMs] = /^(\d+) (\d+) (\d+)\s*$/.exec(line) ?? [];
    return startMs === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), startMs: Number(startMs) }];
  });
}

/**
 * What still runs of servers and of all that they started. Windows gives an id again, so that a process counts by its id and
 * time; and it keeps the id of a parent that is gone, by which the children of a server are found that has ended. Pure.
 * @param watched when each server began, by its process id
 */
export function stillRunning(
  rows: readonly WindowsProcess[],
  watched: ReadonlyMap<number, number>,
): readonly WindowsProcess[] {
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const found = new Set<WindowsProcess>();
  const isServer = ({ pid, startMs }: WindowsProcess): boolean =>
    Math.abs(startMs - (watched.get(pid) ?? Number.NaN)) <= TOLERANCE_MS;
  const isChild = ({ parent, startMs }: WindowsProcess): boolean => {
    const now = byPid.get(parent);
    // Else the one that has that id now is another, younger process.
    if (now && now.startMs <= startMs) return found.has(now);
    return startMs >= (watched.get(parent) ?? Number.NaN) - TOLERANCE_MS;
  };
  // Parents come first.
  for (const row of rows.toSorted((one, other) => one.startMs - other.startMs))
    if (isServer(row) || isChild(row)) found.add(row);
  return [...found];
}

/** Tells this module that it is the process. */
const ROLE = 'mcp-switchboard-watchdog';

/**
 * Starts the watchdog. It reads `+ PID MS` (a server, and when it began) and `- PID` (it has ended), and the end of its
 * input is the end of the extension host.
 * @param file the module, which is this one
 * @returns its input. Where it can't be started, that is read by nobody, and servers may outlive a crash
 */
export function startWatchdog(file = fileURLToPath(import.meta.url)): Writable {
  const { SystemRoot, PATH } = process.env;
  const child = spawn(process.execPath, [file, ROLE], {
    cwd: SystemRoot,
    env: { ELECTRON_RUN_AS_NODE: '1', PATH, ...(SystemRoot === undefined ? {} : { SystemRoot }) },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    windowsHide: true,
  });
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  return child.stdin;
}

async function endWhatRuns(watched: ReadonlyMap<number, number>): Promise<void> {
  const run = promisify(execFile);
  // Windows looks for programs in the working directory first, which is its own here.
  const options = { windowsHide: true, maxBuffer: 64 * 1024 * 1024 };
  try {
    const { stdout } = await run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', QUERY], options);
    const left = stillRunning(parseProcesses(stdout), watched);
    if (left.length === 0) return;
    await run('taskkill', ['/T', '/F', ...left.flatMap(({ pid }) => ['/pid', String(pid)])], options);
  } catch {
    // Without PowerShell nobody knows whose the ids are now; and taskkill fails where one of them has ended meanwhile.
  }
}

if (process.argv[2] === ROLE) {
  const running = new Map<number, number>();
  let ended = new Map<number, number>();
  let looking: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    if (ended.size === 0) return;
    await pause(SETTLE_MS);
    const these = ended;
    ended = new Map();
    await endWhatRuns(these);
  };
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const [op, id, startMs] = line.split(' ');
    const pid = Number(id);
    if (op === '+') running.set(pid, Number(startMs));
    if (op !== '-' || !running.has(pid)) return;
    ended.set(pid, running.get(pid) ?? 0);
    running.delete(pid);
    looking = looking.then(look);
  });
  lines.on('close', () => {
    if (running.size + ended.size === 0) return;
    const all = new Map([...ended, ...running]);
    ended = new Map();
    void endWhatRuns(all);
  });
}
