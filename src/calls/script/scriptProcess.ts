import type { ChildProcess } from 'node:child_process';
import { nextMessage } from '../childMessage.ts';
import { SCRIPT_LIMITS, type ScriptRound, type ScriptState, type ScriptTask } from './scriptTypes.ts';

/** How long the process may take to start, in milliseconds: a busy machine is not the script's fault. */
const START_LIMIT_MS = 20_000;
/** How long it may take to answer: longer than the interpreter lets a script run. */
const ANSWER_LIMIT_MS = SCRIPT_LIMITS.timeMs * 3;

/** A script that runs in a process of its own, as long as that lives. */
export class ScriptProcess {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** @throws where the process doesn't start in time */
  static async start(): Promise<ScriptProcess> {
    const { startScriptWorker } = await import('./scriptWorker.ts');
    const child = startScriptWorker();
    // What it can't be told because it has ended shows where its answer is awaited.
    child.on('error', () => undefined);
    const process = new ScriptProcess(child);
    try {
      await nextMessage(child, START_LIMIT_MS);
      return process;
    } catch (error) {
      process.end();
      throw error;
    }
  }

  /** Begins a script, or repeats it up to where it stopped. @throws where the process ended, or takes too long */
  begin(task: ScriptTask): Promise<ScriptState> {
    return this.#ask({ task });
  }

  /** Gives it answers. @throws as `begin` */
  goOn(round: ScriptRound): Promise<ScriptState> {
    return this.#ask({ round });
  }

  async #ask(message: object): Promise<ScriptState> {
    this.#child.send(message);
    return (await nextMessage(this.#child, ANSWER_LIMIT_MS)) as ScriptState;
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }
}
