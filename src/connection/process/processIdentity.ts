import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { bootId, readStat } from './procfs.ts';

/** A process beyond doubt: pids are used again, but not with the same start time. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, as the system says it; opaque. */
  readonly start: string;
}

/** Windows is asked only when it matters, so what is noted there is when we saw the process begin. */
const WINDOWS_TOLERANCE_MS = 5000;

/** Who runs under a pid now: this process, or one that has just been started. `undefined`: nobody, or it can't be told. */
export async function identify(pid: number, platform: NodeJS.Platform): Promise<ProcessIdentity | undefined> {
  if (platform === 'win32') {
    const uptimeMs = pid === process.pid ? process.uptime() * 1000 : 0;
    return { pid, start: String(Math.round(Date.now() - uptimeMs)) };
  }
  const start = platform === 'linux' ? linuxStart(pid) : platform === 'darwin' ? await darwinStart(pid) : undefined;
  return start === undefined ? undefined : { pid, start };
}

/** Whether that very process still runs. */
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
    const { stdout } = await promisify(execFile)(file, [...args], { windowsHide: true });
    return stdout;
  } catch {
    return undefined;
  }
}
