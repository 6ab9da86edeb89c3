import { deferred, onAbort } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { SwitchboardError } from '../../base/errors.ts';
import type { CallProgress, Session, ToolCallResult } from '../../connection/connectionTypes.ts';
import { EndedTask } from '../../connection/session/requests/endedTask.ts';
import { RefusedRequest } from '../../connection/session/requests/requestFailure.ts';
import { RPC_CODES } from '../../connection/protocol/rpcCodes.ts';
import { READY_WAIT_MS } from '../callSettings.ts';
import { cleanProgress } from '../scheduling/callSender.ts';
import type { KeptTask } from './keptTask.ts';

/** What following a task needs of the rest of the core. */
export interface TaskServerPorts {
  /** The session of a server, whatever its tools are now; waits up to `waitMs` for it. Throws `not-connected`. */
  liveSession(serverId: string, waitMs: number, signal: AbortSignal): Promise<Session>;
  fingerprintOf(serverId: string): string | undefined;
  callTimeoutMs(serverId: string): number;
  readonly clock: Clock;
}

/** Why a task isn't followed any more. `closing`: the window closes, and the next one goes on. */
export type StopReason = 'cancelled' | 'expired' | 'closing';

/** How long a task is followed where its server doesn't say how long it keeps it, and at most, in milliseconds. */
const FOLLOWED_MS = { default: 24 * 3600_000, min: 60_000, max: 7 * 24 * 3600_000 };
/** Until a server that was lost is tried again, in milliseconds: twice as long each time. */
const AGAIN_MS = { first: 1_000, max: 60_000 };
/** How often in a row a server may refuse to say how a task is. */
const MAX_REFUSALS = 3;

/** One task of a server, from the call that it was, or from the next window, to its end. A server that is lost is awaited. */
export class RunningTask {
  readonly task: KeptTask;
  /** Whether it outlasts the window. */
  readonly isKept: boolean;
  /** The result of `tools/call`; rejects with a SwitchboardError. */
  readonly followed: Promise<ToolCallResult>;
  /** Told what the server says meanwhile, cleaned. */
  onProgress: ((progress: CallProgress) => void) | undefined;
  /** What the server said last, cleaned. */
  message: string | undefined;
  readonly #ports: TaskServerPorts;
  readonly #ending = new AbortController();
  #session: Session | undefined;

  constructor(task: KeptTask, isKept: boolean, ports: TaskServerPorts) {
    this.task = task;
    this.isKept = isKept;
    this.#ports = ports;
    this.followed = this.#follow();
    // Whoever waits gets it.
    this.followed.catch(() => undefined);
  }

  /** Aborts when it isn't followed any more. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  get isClosing(): boolean {
    return this.signal.aborted && this.signal.reason === ('closing' satisfies StopReason);
  }

  /** Whether its server asks the user something now, maybe for this task. */
  get isAsking(): boolean {
    return this.#session?.isAsking === true;
  }

  /** Ends it here and, unless the window closes, at its server, as far as that obeys. */
  stop(reason: StopReason): void {
    if (this.signal.aborted) return;
    this.#ending.abort(reason);
    if (reason !== 'closing') void this.#cancelThere();
  }

  async #follow(): Promise<ToolCallResult> {
    const { clock } = this.#ports;
    const { ttlMs = FOLLOWED_MS.default } = this.task.task;
    const untilMs = this.task.at + Math.min(FOLLOWED_MS.max, Math.max(FOLLOWED_MS.min, ttlMs)) - clock.now();
    const timer = clock.schedule(untilMs, () => this.stop('expired'));
    let failures = 0;
    let refusals = 0;
    try {
      for (;;) {
        try {
          return await this.#once((progress) => {
            failures = 0;
            refusals = 0;
            this.#tell(progress);
          });
        } catch (error) {
          if (this.signal.aborted) throw this.#whyStopped();
          const isRefusal = error instanceof SwitchboardError && error.code === 'call-failed';
          refusals += isRefusal ? 1 : 0;
          if (isFinal(error) || refusals > MAX_REFUSALS) {
            // It would wait for the answer.
            if (wasRefused(error)) void this.#cancelThere();
            throw this.#withAdvice(error);
          }
          // It may be a dead one: who cancels now connects.
          this.#session = undefined;
          await this.#pause(Math.min(AGAIN_MS.max, AGAIN_MS.first * 2 ** failures));
          failures += 1;
        }
      }
    } finally {
      timer.dispose();
    }
  }

  async #once(onProgress: (progress: CallProgress) => void): Promise<ToolCallResult> {
    const { serverId, task } = this.task;
    const session = await this.#connected();
    const timeoutMs = this.#ports.callTimeoutMs(serverId);
    return session.followTask(task, { signal: this.signal, timeoutMs, onProgress });
  }

  /** The server that was called, and no other: a definition that was changed since may be another's. */
  async #connected(signal = this.signal): Promise<Session> {
    const { serverId } = this.task;
    this.#checkDefinition();
    const session = await this.#ports.liveSession(serverId, READY_WAIT_MS, signal);
    this.#checkDefinition();
    this.#session = session;
    return session;
  }

  #checkDefinition(): void {
    const { serverId, serverName, fingerprint, tool } = this.task;
    const now = this.#ports.fingerprintOf(serverId);
    if (now === fingerprint) return;
    if (now === undefined) throw new SwitchboardError('not-connected', `There is no server ${serverName} now.`);
    throw new SwitchboardError(
      'denied',
      `The definition of ${serverName} was changed while ${tool} ran as a task. Its result is not fetched.`,
      { remedy: MAY_HAVE_RUN },
    );
  }

  #tell(progress: CallProgress): void {
    cleanProgress((clean) => {
      this.message = clean.message ?? this.message;
      this.onProgress?.(clean);
    })(progress);
  }

  async #cancelThere(): Promise<void> {
    try {
      const session = this.#session ?? (await this.#connected(new AbortController().signal));
      this.#checkDefinition();
      await session.cancelTask(this.task.task);
    } catch {
      // It is over here; there it ends with its time.
    }
  }

  #whyStopped(): SwitchboardError {
    const { tool, serverName } = this.task;
    if (this.signal.reason === ('expired' satisfies StopReason)) {
      const text = `${tool} ran as a task for longer than it is waited for, and was cancelled.`;
      return new SwitchboardError('call-timeout', text, { remedy: MAY_HAVE_RUN });
    }
    const there = this.#session ? 'It may have run in part.' : `${serverName} is not connected, so it may go on there.`;
    return new SwitchboardError('call-cancelled', `${tool} was cancelled. ${there}`);
  }

  #withAdvice(error: unknown): unknown {
    if (codeOf(error) !== RPC_CODES.invalidParams) return error;
    const { tool, serverName } = this.task;
    const text = `${serverName} does not know the task any more that ${tool} became.`;
    return new SwitchboardError('call-failed', text, { remedy: MAY_HAVE_RUN, cause: error });
  }

  async #pause(ms: number): Promise<void> {
    const over = deferred<void>();
    const timer = this.#ports.clock.schedule(ms, () => over.resolve());
    const abortion = onAbort(this.signal, () => over.resolve());
    await over.promise;
    timer.dispose();
    abortion.dispose();
    if (this.signal.aborted) throw this.#whyStopped();
  }
}

const MAY_HAVE_RUN = 'It may have run. Call it again only if that is safe.';
/** Nothing will be another after a while. */
const FINAL: ReadonlySet<string> = new Set(['denied', 'message-too-large', 'unsupported', 'tool-error']);

function isFinal(error: unknown): boolean {
  if (!(error instanceof SwitchboardError)) return true;
  const isEnd = error.cause instanceof EndedTask || wasRefused(error);
  return isEnd || FINAL.has(error.code) || codeOf(error) === RPC_CODES.invalidParams;
}

/** Whether what a task needs was refused: the user or a model is asked too much, or can't be asked. */
function wasRefused(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof RefusedRequest;
}

/** Of the JSON-RPC error that it comes from. */
function codeOf(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
}
