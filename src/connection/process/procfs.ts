import { readFileSync } from 'node:fs';

/** What Linux says of a process. */
export interface LinuxStat {
  readonly name: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** When it started, in clock ticks since the boot. */
  readonly ticks: number;
  /** It has ended, and nobody has waited for it yet: in some containers for ever. */
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

/** proc(5). The second field is the command in parentheses and may hold blanks and parentheses itself. */
export function readStat(pid: number): LinuxStat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
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
