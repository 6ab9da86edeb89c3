import type { ChildProcess } from 'node:child_process';
import { onAbort } from '../../base/async.ts';
import { Semaphore } from '../../base/semaphore.ts';
import { nextMessage } from '../childMessage.ts';
import { SCRIPT_LIMITS, type ScriptRound, type ScriptState, type ScriptTask } from './scriptTypes.ts';

/** How long the process may take to start, in milliseconds: a busy machine is not the script's fault. */
const START_LIMIT_MS = 20_000;
/** How long it may take to answer: longer than the interpreter lets a script run. */
const ANSWER_LIMIT_MS = SCRIPT_LIMITS.timeMs * 3;

/** So many processes there are at once: each may keep a core busy, and hold 200 MB. */
const turns = new Semaphore(4);

/** A script that runs in a process of its own, as long as that lives. */
export class ScriptProcess {
  readonly #child: ChildProcess;
  /** Ends the process, so that another can start; a second time does nothing. */
  readonly end: () => void;

  private constructor(child: ChildProcess, end: () => void) {
    this.#child = child;
    this.end = end;
  }

  /**
   * Starts a process, as soon as there are few enough. Whoever gets it has to end it.
   * @throws where the process doesn't start in time, or `signal` aborts before it has
   */
  static async start(signal: AbortSignal): Promise<ScriptProcess> {
    const { startScriptWorker } = await import('./scriptWorker.ts');
    const turn = await turns.take(signal);
    let child: ChildProcess | undefined;
    const end = (): void => {
      child?.kill('SIGKILL');
      turn.dispose();
    };
    const abortion = onAbort(signal, end);
    try {
      child = startScriptWorker();
      // What it can't be told because it has ended shows where its answer is awaited.
      child.on('error', () => undefined);
      await nextMessage(child, START_LIMIT_MS);
      return new ScriptProcess(child, end);
    } catch (error) {
      end();
      throw error;
    } finally {
      abortion.dispose();
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
}
