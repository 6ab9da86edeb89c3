import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { environmentOf } from './processIdentity.ts';
import { powerShell } from './powerShell.ts';
import { readProcessTable } from './processTable.ts';

/** A process that a start brought about. */
export interface StartedProcess {
  readonly pid: number;
  readonly parent: number;
  /** Its program and arguments; macOS gives them without their limits. */
  readonly words: readonly string[];
  /** npm runs it as this script of a package (`npm_lifecycle_event`), e.g. `install`; Windows doesn't say. */
  readonly script?: string;
  /** The package whose script it is. */
  readonly package?: string;
}

/** Reads the process `leader` and all that descend from it; empty where that can't be read. Never throws. */
export type ReadStartedTree = (leader: number) => Promise<readonly StartedProcess[]>;

/** As `ReadStartedTree`, for a platform. Costs a few milliseconds on Linux, most of a second on Windows. */
export async function readStartedTree(platform: NodeJS.Platform, leader: number): Promise<readonly StartedProcess[]> {
  try {
    if (platform === 'linux') return await linuxTree(leader);
    const rows =
      platform === 'win32' ? parseCim(await output(...powerShell(CIM))) : parseCommands(await output('/bin/ps', PS));
    return descendants(rows, leader);
  } catch {
    return [];
  }
}

/** The row of `leader` and those of its descendants. Pure. */
export function descendants<T extends { readonly pid: number; readonly parent: number }>(
  rows: readonly T[],
  leader: number,
): readonly T[] {
  const byParent = Map.groupBy(rows, (row) => row.parent);
  const found = new Map<number, T>();
  const add = (row: T): void => {
    if (found.has(row.pid)) return;
    found.set(row.pid, row);
    for (const child of byParent.get(row.pid) ?? []) add(child);
  };
  const first = rows.find(({ pid }) => pid === leader);
  if (first) add(first);
  return [...found.values()];
}

async function linuxTree(leader: number): Promise<readonly StartedProcess[]> {
  return descendants(await readProcessTable('linux', 'younger'), leader).flatMap(({ pid, parent }) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
      return [{ pid, parent, words, ...scriptIn(environmentOf(pid), '\0') }];
    } catch {
      return [];
    }
  });
}

const PS = ['-axEww', '-o', 'pid=,ppid=,command='];

/** What `ps -axEww -o pid=,ppid=,command=` of macOS prints: the environment follows the arguments. Pure. */
export function parseCommands(text: string): readonly StartedProcess[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(\S.*)$/.exec(line) ?? [];
    if (command === undefined) return [];
    const words = command.trim().split(/\s+/);
    const end = words.findIndex((word) => /^[A-Za-z_]\w*=/.test(word));
    const own = end < 1 ? words : words.slice(0, end);
    return [{ pid: Number(pid), parent: Number(parent), words: own, ...scriptIn(command, ' ') }];
  });
}

/** Asks Windows for every process: its id, its parent's, when it began, its command line. */
const CIM =
  "Get-CimInstance Win32_Process | ForEach-Object { '{0} {1} {2} {3}' -f $_.ProcessId, $_.ParentProcessId, $_.CreationDate.Ticks, $_.CommandLine }";

/** What `CIM` prints. A parent that is younger than its child is another process with the same id. Pure. */
export function parseCim(text: string): readonly StartedProcess[] {
  const rows = text.split('\n').flatMap((line) => {
    const [, pid, parent, ticks, command] = /^(\d+) (\d+) (\d+) (.*?)\s*$/.exec(line) ?? [];
    if (command === undefined) return [];
    const words = command.match(/"[^"]*"|\S+/g) ?? [];
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        began: BigInt(ticks ?? 0),
        words: words.map((word) => word.replaceAll('"', '')),
      },
    ];
  });
  const began = new Map(rows.map((row) => [row.pid, row.began]));
  return rows.map(({ pid, parent, began: own, words }) => ({
    pid,
    parent: (began.get(parent) ?? own) <= own ? parent : 0,
    words,
  }));
}

function scriptIn(environment: string, separator: string): Pick<StartedProcess, 'script' | 'package'> {
  const valueOf = (name: string): string | undefined => {
    const at = environment.indexOf(`${separator}${name}=`);
    return at < 0 ? undefined : environment.slice(at + name.length + 2).split(separator, 1)[0];
  };
  const script = valueOf('npm_lifecycle_event');
  const name = valueOf('npm_package_name');
  return { ...(script ? { script } : {}), ...(name ? { package: name } : {}) };
}

async function output(file: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(file, [...args], {
    maxBuffer: 64 * 1024 * 1024,
    // Windows looks for programs in the working directory first.
    cwd: process.env['SystemRoot'],
    windowsHide: true,
    env: { ...process.env, LC_ALL: 'C' },
  });
  return stdout;
}
