import { spawn } from 'node:child_process';
import { PassThrough, type Writable } from 'node:stream';
import type { Disposable } from '../../base/disposable.ts';
import { MARK_VARIABLE } from './processTable.ts';
import { OPENERS } from './escapedProcesses.ts';

/**
 * Reads a mark (`= mark`) and process groups (`+ 12 MS`, `- 12`) from its input. When the input ends, the extension host is
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
while read -r op id rest; do
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
 * Kills the servers when this process dies without notice: a small process apart, on a pipe, started with the first server. It is a
 * shell, on Windows a Node process (windowsWatchdog.ts), which also ends what servers leave there when they end.
 */
export class Reaper implements Disposable {
  readonly #platform: NodeJS.Platform;
  readonly #hostMark: string;
  #input: Writable | undefined;
  #disposed = false;

  /** @param hostMark what the marks of all servers of this host begin with, up to a dot */
  constructor(platform: NodeJS.Platform, hostMark: string) {
    this.#platform = platform;
    this.#hostMark = hostMark;
  }

  /** @param pid the leader of a process group that has just begun */
  watch(pid: number): void {
    this.#tell(`+ ${pid} ${Date.now()}\n`);
  }

  /** The group has ended. */
  release(pid: number): void {
    if (this.#input) this.#tell(`- ${pid}\n`);
  }

  dispose(): void {
    this.#disposed = true;
    this.#input?.end();
    this.#input = undefined;
  }

  #tell(line: string): void {
    if (this.#disposed) return;
    this.#input ??= this.#platform === 'win32' ? startedLater() : this.#startShell();
    this.#input.write(line);
  }

  #startShell(): Writable {
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
    return shell.stdin;
  }
}

/** The watchdog's input: its module is loaded on Windows only. */
function startedLater(): Writable {
  const input = new PassThrough();
  void import('./windowsWatchdog.ts').then(({ startWatchdog }) => input.pipe(startWatchdog()));
  return input;
}
