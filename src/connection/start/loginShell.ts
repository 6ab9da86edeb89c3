import type { Clock } from '../../base/clock.ts';
import { runCommand } from '../process/runCommand.ts';
import { absoluteEntries, buildEnvironment } from './serverEnvironment.ts';

/** Time-out of the login shell, its start-up files included. */
const SHELL_TIMEOUT_MS = 5000;

export interface LoginShellPorts {
  readonly platform: NodeJS.Platform;
  readonly hostEnvironment: NodeJS.ProcessEnv;
  readonly homeDir: string;
  readonly clock: Clock;
}

/**
 * `PATH` of the user's login shell: an editor that was started from a desktop menu has a much shorter one. Asks the shell
 * once, on first use. Not on Windows, and not where the editor was started from a terminal.
 */
export class LoginShell {
  readonly #ports: LoginShellPorts;
  #path: Promise<string | undefined> | undefined;

  constructor(ports: LoginShellPorts) {
    this.#ports = ports;
  }

  /** The shell's `PATH`, then what only the extension host's has; `undefined`: use the extension host's. */
  path(): Promise<string | undefined> {
    this.#path ??= this.#ask();
    return this.#path;
  }

  async #ask(): Promise<string | undefined> {
    const { platform, hostEnvironment, homeDir, clock } = this.#ports;
    const shell = hostEnvironment['SHELL'];
    const fromTerminal = hostEnvironment['VSCODE_CLI'] === '1';
    if ((platform !== 'darwin' && platform !== 'linux') || !shell?.startsWith('/') || fromTerminal) return undefined;
    const result = await runCommand({
      command: [shell, '-i', '-l', '-c', '/usr/bin/env'],
      env: buildEnvironment({ scope: 'user', platform, host: hostEnvironment, entry: {} }),
      cwd: homeDir,
      timeoutMs: SHELL_TIMEOUT_MS,
      clock,
      platform,
    });
    const path = result.kind === 'exited' ? pathIn(result.stdout) : undefined;
    return path === undefined ? undefined : mergePaths(path, hostEnvironment['PATH'] ?? '');
  }
}

/** `PATH` in the output of `env`; start-up files may have printed something before it. */
export function pathIn(output: string): string | undefined {
  return /^PATH=(.+)$/m.exec(output)?.[1];
}

/** The absolute entries of both, each once, the first's before the second's. */
export function mergePaths(first: string, second: string): string {
  return [...new Set(absoluteEntries(`${first}:${second}`, 'linux').split(':'))].join(':');
}
