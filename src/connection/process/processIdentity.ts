import { execFile } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { promisify } from 'node:util';

/** Identifies a process: pids are reused, but not with the same start time. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, as the system says it; opaque. */
  readonly start: string;
}

/** Windows is asked only when it matters, so what is noted there is when we saw the process begin. */
const WINDOWS_TOLERANCE_MS = 5000;

/** The identity of the process with this pid: this one, or one just started. `undefined`: there is none, or it is unknown. */
export async function identify(pid: number, platform: NodeJS.Platform): Promise<ProcessIdentity | undefined> {
  if (platform === 'win32') {
    const uptimeMs = pid === process.pid ? process.uptime() * 1000 : 0;
    return { pid, start: String(Math.round(Date.now() - uptimeMs)) };
  }
  const start = platform === 'linux' ? linuxStart(pid) : platform === 'darwin' ? await darwinStart(pid) : undefined;
  return start === undefined ? undefined : { pid, start };
}

/** Whether that process still runs. */
export async function isRunning(identity: ProcessIdentity, platform: NodeJS.Platform): Promise<boolean> {
  if (platform !== 'win32') return (await identify(identity.pid, platform))?.start === identity.start;
  const started = await windowsStartMs(identity.pid);
  return started !== undefined && Math.abs(started - Number(identity.start)) <= WINDOWS_TOLERANCE_MS;
}

function linuxStart(pid: number): string | undefined {
  const stat = readStat(pid);
  const boot = bootId();
  return stat === undefined || stat.isZombie || boot === undefined ? undefined : `${boot}:${stat.ticks}`;
}

async function darwinStart(pid: number): Promise<string | undefined> {
  return (await output('/bin/ps', ['-o', 'lstart=', '-p', String(pid)]))?.trim() || undefined;
}

/** Milliseconds since the epoch. */
async function windowsStartMs(pid: number): Promise<number | undefined> {
  const script = `[DateTimeOffset]::new((Get-Process -Id ${pid}).StartTime).ToUnixTimeMilliseconds()`;
  const said = await output('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script]);
  return said !== undefined && /^\d+$/.test(said.trim()) ? Number(said.trim()) : undefined;
}

/** What a program printed; `undefined` where it failed. */
async function output(file: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(file, [...args], {
      // Windows looks for programs in the working directory first.
      cwd: process.env['SystemRoot'],
      windowsHide: true,
    });
    return stdout;
  } catch {
    return undefined;
  }
}

/** What Linux says of a process. */
export interface LinuxStat {
  readonly name: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** When it started, in clock ticks since the boot. */
  readonly ticks: number;
  /** It has ended, but its parent hasn't waited for it: in some containers for ever. */
  readonly isZombie: boolean;
}

/** What belongs to a start time of Linux, which counts from the boot. */
export function bootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** A line of `stat` has at most some 50 numbers and a name of 64 characters. */
const STAT = Buffer.allocUnsafe(2048);

/** In half of the time of `readFileSync`, which asks for the size of a file that has none and reads once more for its end. */
function statText(pid: number): string {
  const file = openSync(`/proc/${pid}/stat`, 'r');
  try {
    return STAT.toString('utf8', 0, readSync(file, STAT));
  } finally {
    closeSync(file);
  }
}

/** proc(5). The second field is the command in parentheses and may hold blanks and parentheses itself. */
export function readStat(pid: number): LinuxStat | undefined {
  try {
    const stat = statText(pid);
    const close = stat.lastIndexOf(')');
    const fields = stat.slice(close + 2).split(' ');
    const [state, parent, group, session] = fields;
    return {
      name: stat.slice(stat.indexOf('(') + 1, close),
      isZombie: state === 'Z' || state === 'X',
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
      ticks: Number(fields[19]),
    };
  } catch {
    return undefined;
  }
}

/** Its variables, each after a NUL; empty for a process of another user. */
export function environmentOf(pid: number): string {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`;
  } catch {
    return '';
  }
}
