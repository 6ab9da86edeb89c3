import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Writable } from 'node:stream';
import type { Disposable } from '../../base/disposable.ts';
import { MARK_VARIABLE } from './processTable.ts';
import { OPENERS } from './escapedProcesses.ts';

/**
 * Reads a mark (`= mark`) and process groups (`+ 12`, `- 12`) from its input. When the input ends, the extension host is
 * gone, orderly or by `kill -9`: then it kills the groups that are left, and processes that left their group but have the
 * mark in their environment. Spares what `findEscaped` spares.
 */
const SCRIPT = `
trap '' HUP INT TERM
groups= mark=
escaped() {
  if [ -r /proc/self/environ ]; then
    for file in $(grep -lsF "$mark" /proc/[0-9]*/environ); do
      pid=\${file#/proc/} pid=\${pid%/environ}
      grep -qs GIO_LAUNCHED_DESKTOP_FILE= "$file" && continue
      session=$(sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null | cut -d ' ' -f 4)
      case $(cat "/proc/$session/comm" 2>/dev/null) in ${[...OPENERS].join('|')}) continue ;; esac
      echo "$pid"
    done
  else
    ps -axEww -o pid=,command= | grep -F " $mark" | while read -r pid rest; do echo "$pid"; done
  fi
}
while read -r op id; do
  case $op in
    =) mark=${MARK_VARIABLE}=$id. ;;
    +) groups="$groups $id" ;;
    -) kept=; for g in $groups; do [ "$g" = "$id" ] || kept="$kept $g"; done; groups=$kept ;;
  esac
done
[ -n "$groups" ] || exit 0
end() {
  for p in $(escaped); do kill "$1" "$p" 2>/dev/null; done
  for g in $groups; do kill "$1" "-$g" 2>/dev/null; done
}
end -TERM
sleep 1
end -KILL
`;

/**
 * Kills the servers when this process dies without notice: a small shell in a group of its own, on a pipe, started with
 * the first server. There is none on Windows, where most servers exit at the end of their input.
 */
export class Reaper implements Disposable {
  readonly #platform: NodeJS.Platform;
  readonly #hostMark: string;
  #shell: ChildProcessByStdio<Writable, null, null> | undefined;
  #disposed = false;

  /** @param hostMark what the marks of all servers of this host begin with, up to a dot */
  constructor(platform: NodeJS.Platform, hostMark: string) {
    this.#platform = platform;
    this.#hostMark = hostMark;
  }

  /** @param pid the leader of a process group */
  watch(pid: number): void {
    this.#tell(`+ ${pid}\n`);
  }

  /** The group has ended. */
  release(pid: number): void {
    if (this.#shell) this.#tell(`- ${pid}\n`);
  }

  dispose(): void {
    this.#disposed = true;
    this.#shell?.stdin.end();
    this.#shell = undefined;
  }

  #tell(line: string): void {
    if (this.#platform === 'win32' || this.#disposed) return;
    this.#shell ??= this.#start();
    this.#shell.stdin.write(line);
  }

  #start(): ChildProcessByStdio<Writable, null, null> {
    const shell = spawn('/bin/sh', ['-c', SCRIPT], {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    // Without it servers may outlive a crash.
    shell.on('error', () => undefined);
    shell.stdin.on('error', () => undefined);
    shell.unref();
    shell.stdin.write(`= ${this.#hostMark}\n`);
    return shell;
  }
}
