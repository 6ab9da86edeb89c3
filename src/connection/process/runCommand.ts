import { spawn } from 'node:child_process';
import { deferred } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { endTree } from './killTree.ts';

export interface CommandOptions {
  readonly file: string;
  readonly args: readonly string[];
  /** The file is a command line for the system's shell. */
  readonly shell: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
}

/** How a command ended, with what it wrote on stdout; `timeout` also where it wrote too much. */
export type CommandResult =
  | { readonly kind: 'exited'; readonly code: number; readonly stdout: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'not-started'; readonly message: string };

const MAX_OUTPUT_BYTES = 1024 * 1024;

/** Runs a command to its end, without input, in a process group of its own that is ended when its time is up. */
export async function runCommand(options: CommandOptions): Promise<CommandResult> {
  const result = deferred<CommandResult>();
  const child = spawn(options.file, [...options.args], {
    cwd: options.cwd,
    env: options.env,
    shell: options.shell,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: options.platform !== 'win32',
    windowsHide: true,
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > MAX_OUTPUT_BYTES) result.resolve({ kind: 'timeout' });
  });
  child.once('error', (error) => result.resolve({ kind: 'not-started', message: error.message }));
  child.once('close', (code) => {
    result.resolve({ kind: 'exited', code: code ?? -1, stdout: Buffer.concat(chunks).toString('utf8') });
  });
  const timer = options.clock.schedule(options.timeoutMs, () => result.resolve({ kind: 'timeout' }));
  const outcome = await result.promise;
  timer.dispose();
  child.stdout.destroy();
  if (child.pid !== undefined) await endTree(options.platform, child.pid, 'kill');
  return outcome;
}
