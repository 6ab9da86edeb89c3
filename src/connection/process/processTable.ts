import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { inSlices, mapSteps } from '../../base/timeSlices.ts';
import { bootId, environmentOf, type ProcessIdentity, readStat } from './processIdentity.ts';

/** The environment variable that marks a server and all that it starts. Its value is no secret. */
export const MARK_VARIABLE = 'MCP_SWITCHBOARD_SERVER';

/** A process of this machine. */
export interface ProcessRow extends ProcessIdentity {
  readonly parent: number;
  readonly group: number;
  /** The process that began its session; 0 where that isn't known. */
  readonly session: number;
  /** The program's name; empty where that isn't known. */
  readonly name: string;
  /** What `MARK_VARIABLE` is in its environment; on Linux not of a child of this process. */
  readonly mark?: string;
  /** The desktop started it as an application; likewise. */
  readonly isApplication: boolean;
}

/**
 * The processes that run; on Windows none. Never throws.
 *
 * @param which `younger`: those that began after this one, as everything that it started did; that costs less
 */
export async function readProcessTable(
  platform: NodeJS.Platform,
  which: 'all' | 'younger',
): Promise<readonly ProcessRow[]> {
  if (platform === 'linux') return linuxTable(which);
  if (platform !== 'darwin') return [];
  try {
    const columns = ['pid', 'ppid', 'pgid', 'lstart', 'command'].map((name) => `${name}=`).join(',');
    // -E: with the environment, of the processes of this user.
    const { stdout } = await promisify(execFile)('/bin/ps', ['-axEww', '-o', columns], {
      maxBuffer: 64 * 1024 * 1024,
      env: { LC_ALL: 'C' },
    });
    return parsePs(stdout);
  } catch {
    return [];
  }
}

/** What `ps -axEww -o pid=,ppid=,pgid=,lstart=,command=` of macOS prints. Pure. */
export function parsePs(text: string): readonly ProcessRow[] {
  return text.split('\n').flatMap((line): ProcessRow[] => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]{8}\s+\d{4})\s+(.*)$/.exec(line);
    if (!match) return [];
    const [, pid, parent, group, start = '', command = ''] = match;
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        session: 0,
        start,
        name: '',
        // There, the system starts applications.
        isApplication: false,
        ...markIn(command, ' '),
      },
    ];
  });
}

async function linuxTable(which: 'all' | 'younger'): Promise<readonly ProcessRow[]> {
  const boot = bootId();
  const own = readStat(process.pid);
  if (boot === undefined || own === undefined) return [];
  const pids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  // In slices: each process is two files, and a machine has hundreds.
  const read = (pid: number): ProcessRow | undefined => linuxRow(pid, boot, which === 'all' ? 0 : own.ticks);
  return (await inSlices(mapSteps(pids, read, 4))).filter((row) => row !== undefined);
}

function linuxRow(pid: number, boot: string, sinceTicks: number): ProcessRow | undefined {
  const stat = readStat(pid);
  if (!stat || stat.isZombie || stat.ticks < sinceTicks) return undefined;
  const { parent, group, session, name } = stat;
  const environment = isOwnChild(parent) ? '' : environmentOf(pid);
  const isApplication = environment.includes('\0GIO_LAUNCHED_DESKTOP_FILE=');
  const start = `${boot}:${stat.ticks}`;
  return { pid, parent, group, session, start, name, isApplication, ...markIn(environment, '\0') };
}

/**
 * What this process started itself has escaped from nobody, and can be hundreds of processes. Without a parent of its own left, a process
 * is one of the first process, which in a container may be this one.
 */
function isOwnChild(parent: number): boolean {
  return parent === process.pid && process.pid !== 1;
}

/** @param separator stands before each variable of the text */
function markIn(text: string, separator: string): { readonly mark?: string } {
  const begin = `${separator}${MARK_VARIABLE}=`;
  const at = text.indexOf(begin);
  if (at < 0) return {};
  const from = at + begin.length;
  const to = text.indexOf(separator, from);
  return { mark: text.slice(from, to < 0 ? undefined : to) };
}
