import { spawn } from 'node:child_process';
import { pipeline, Readable } from 'node:stream';
import { deferred, onAbort } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { endTree } from './killProcessTree.ts';

export interface CommandOptions {
  /** A command line for the system's shell, or a program with its arguments. */
  readonly command: string | readonly [file: string, ...args: string[]];
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** Written to its stdin, piece by piece; without it, there is none. */
  readonly input?: Iterable<string>;
  /** Without it, stderr is ignored and the result has none. */
  readonly readsStderr?: boolean;
  readonly signal?: AbortSignal;
  /** What it started in the background goes on after it exited. */
  readonly keepsBackground?: boolean;
  /**
   * Says of each part of its stdout, all of it so far, whether that is all that is wanted: then it has exited, with no code,
   * whatever it and what it started still do.
   */
  readonly isEnough?: (stdout: string) => boolean;
  /** What doesn't exit by itself is asked to, and has this long to tidy up before it is killed, in milliseconds. */
  readonly graceMs?: number;
}

/** How a command ended. All but one that exited are killed with what they started. */
export type CommandResult =
  | { readonly kind: 'exited'; readonly code: number | null; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'timeout' | 'too-much-output' | 'cancelled' }
  | { readonly kind: 'not-started'; readonly message: string };

const MAX_OUTPUT_BYTES = 1024 * 1024;

/** Runs a command to its end in a process group of its own. Never throws. */
export async function runCommand(options: CommandOptions): Promise<CommandResult> {
  const { command, cwd, env, platform, input, signal } = options;
  const [file, ...args] = typeof command === 'string' ? [command] : command;
  const result = deferred<CommandResult>();
  const child = spawn(file, args, {
    cwd,
    env,
    shell: typeof command === 'string',
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', options.readsStderr ? 'pipe' : 'ignore'],
    detached: platform !== 'win32',
    windowsHide: true,
  });
  const chunks: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
  const text = (of: readonly Buffer[]): string => Buffer.concat(of).toString('utf8');
  const exited = (code: number | null): CommandResult => ({
    kind: 'exited',
    code,
    stdout: text(chunks.stdout),
    stderr: text(chunks.stderr),
  });
  for (const name of ['stdout', 'stderr'] as const) {
    let bytes = 0;
    child[name]?.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      chunks[name].push(chunk);
      if (bytes > MAX_OUTPUT_BYTES) result.resolve({ kind: 'too-much-output' });
      else if (name === 'stdout' && options.isEnough?.(text(chunks.stdout))) result.resolve(exited(null));
    });
  }
  child.once('error', (error) => result.resolve({ kind: 'not-started', message: error.message }));
  child.once('close', (code) => result.resolve(exited(code)));
  // A command need not read its input.
  if (input !== undefined && child.stdin) pipeline(Readable.from(input), child.stdin, () => undefined);
  const limits = new DisposableStore();
  limits.add(options.clock.schedule(options.timeoutMs, () => result.resolve({ kind: 'timeout' })));
  if (signal) limits.add(onAbort(signal, () => result.resolve({ kind: 'cancelled' })));
  const outcome = await result.promise;
  limits.dispose();
  const isKept = outcome.kind === 'exited' && options.keepsBackground === true;
  const { graceMs } = options;
  if (child.pid !== undefined && graceMs !== undefined && child.exitCode === null && child.signalCode === null) {
    // Closed, not exited: what it started may tidy up for longer than it does itself.
    const closed = deferred<void>();
    child.once('close', () => closed.resolve());
    const grace = options.clock.schedule(graceMs, () => closed.resolve());
    await endTree(platform, child.pid, 'terminate');
    await closed.promise;
    grace.dispose();
  }
  child.stdout?.destroy();
  child.stderr?.destroy();
  if (child.pid !== undefined && !isKept) await endTree(platform, child.pid, 'kill');
  return outcome;
}
