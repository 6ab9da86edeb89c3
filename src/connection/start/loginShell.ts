import { userInfo } from 'node:os';
import path from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { runCommand } from '../process/runCommand.ts';
import { absoluteEntries, buildEnvironment, searchPathOf } from './serverEnvironment.ts';
import { userFolders } from './userFolders.ts';

/** Time-out of the login shell, its start-up files included: as long as the editor waits for its own. */
const SHELL_TIMEOUT_MS = 10_000;
const SHELL_GRACE_MS = 500;
/** Around the path in what the shell writes: start-up files write, too. */
const MARK = '__switchboard_path__';
/** In words that all shells read the same: quotes, `$` and `;` are for `sh`, which has the path of the shell that starts it. */
const SAY_PATH = `/bin/sh -c 'echo; echo "${MARK}\${PATH}${MARK}"'`;
/** Start-up files ask for it, as the editor's documentation has them do, before they start another shell or ask something. */
const RESOLVING = { VSCODE_RESOLVING_ENVIRONMENT: '1' };

export interface LoginShellPorts {
  readonly platform: NodeJS.Platform;
  readonly hostEnvironment: NodeJS.ProcessEnv;
  readonly homeDir: string;
  readonly clock: Clock;
  /** The user's shell as the system's user database has it; absent: as it is on this machine. */
  readonly databaseShell?: () => string | undefined;
  /** Further folders of programs; absent: those that exist on this machine. */
  readonly folders?: () => Promise<readonly string[]>;
}

/**
 * The search path as the user has it in a terminal: an editor that was started from a desktop menu has a much shorter one.
 * Asks the login shell once, on first use; not on Windows, and not where the editor was started from a terminal. The folders
 * that installers and version managers use come last (see `userFolders`).
 */
export class LoginShell {
  readonly #ports: LoginShellPorts;
  #path: Promise<string | undefined> | undefined;

  constructor(ports: LoginShellPorts) {
    this.#ports = ports;
  }

  /** The shell's `PATH`, then what only the extension host's has, then folders of installers. */
  path(): Promise<string | undefined> {
    this.#path ??= this.#ask();
    return this.#path;
  }

  async #ask(): Promise<string | undefined> {
    const { platform, hostEnvironment, homeDir } = this.#ports;
    const find = this.#ports.folders ?? (() => userFolders({ platform, environment: hostEnvironment, home: homeDir }));
    const [ofShell, folders] = await Promise.all([this.#shellPath(), find()]);
    const own = searchPathOf(definedIn(hostEnvironment), platform);
    const { delimiter } = platform === 'win32' ? path.win32 : path.posix;
    return mergePaths([ofShell ?? '', own, folders.join(delimiter)], platform);
  }

  async #shellPath(): Promise<string | undefined> {
    const { platform, hostEnvironment, homeDir, clock } = this.#ports;
    if ((platform !== 'darwin' && platform !== 'linux') || hostEnvironment['VSCODE_CLI'] === '1') return undefined;
    const shell = this.#shell();
    if (shell === undefined) return undefined;
    const result = await runCommand({
      command: [shell, ...shellOptions(shell), SAY_PATH],
      env: buildEnvironment({ scope: 'user', platform, host: { SHELL: shell, ...hostEnvironment }, entry: RESOLVING }),
      cwd: homeDir,
      timeoutMs: SHELL_TIMEOUT_MS,
      clock,
      platform,
      // What the start-up files left running may hold its output, or the shell itself may not end.
      isEnough: (stdout) => pathIn(stdout) !== undefined,
      // Killed at once, version managers leave locks behind, for which each terminal then waits.
      graceMs: SHELL_GRACE_MS,
    });
    return result.kind === 'exited' ? pathIn(result.stdout) : undefined;
  }

  /** `SHELL`, which a desktop doesn't always set; else what the user database says. */
  #shell(): string | undefined {
    const { hostEnvironment, databaseShell = systemShell } = this.#ports;
    return [hostEnvironment['SHELL'], databaseShell()].find((shell) => shell?.startsWith('/') && !NO_SHELL.test(shell));
  }
}

/** Of accounts that nobody signs in to. */
const NO_SHELL = /\/(?:nologin|false|true|sync|git-shell)$/;

function systemShell(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    // A container may run with a user id that has no entry.
    return undefined;
  }
}

/** The C shells take `-l` alone, PowerShell has options of its own. */
function shellOptions(shell: string): readonly string[] {
  if (/\/pwsh(?:-preview)?$/.test(shell)) return ['-Login', '-Command'];
  return /\/t?csh$/.test(shell) ? ['-i', '-c'] : ['-i', '-l', '-c'];
}

function definedIn(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}

/** Whatever the path begins with: a relative folder, `~`, nothing. But not what is behind a mark where the command is shown. */
const MARKED = new RegExp(`${MARK}(?!\\\\*(?:"|\\$\\{PATH))([^\\n]*?)${MARK}`);

/** What the shell says its path is, in all that was written; a shell may show the command that it runs, too. */
export function pathIn(output: string): string | undefined {
  return MARKED.exec(output)?.[1];
}

/** The absolute entries of all, each once, in order. */
export function mergePaths(lists: readonly string[], platform: NodeJS.Platform): string {
  const { delimiter } = platform === 'win32' ? path.win32 : path.posix;
  const entries = absoluteEntries(lists.join(delimiter), platform).split(delimiter);
  return [...new Set(entries.filter((entry) => entry !== ''))].join(delimiter);
}
