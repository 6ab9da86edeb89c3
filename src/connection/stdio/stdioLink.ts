import type { Readable } from 'node:stream';
import { Emitter, type Event } from '../../base/event.ts';
import type { Clock } from '../../base/clock.ts';
import { SwitchboardError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { Mask } from '../../base/text/secrets.ts';
import { ConnectError } from '../connectionFailure.ts';
import { GuardedTransport, type GuardOptions } from '../protocol/guard/guardedTransport.ts';
import { describeExit, type ExitStatus, isEndedBySignal } from './describeExit.ts';
import { otherMachine } from './programPlatform.ts';
import { startAdvice } from './startAdvice.ts';
import { tellingLine } from './stderrReason.ts';
import { spawnServer, type LaunchSpec } from './spawnServer.ts';
import type { Link } from '../serverLink.ts';
import type { ProcessGuard } from '../process/processGuard.ts';
import { MARK_VARIABLE } from '../process/processTable.ts';
import type { SdkFault } from '../protocol/sdk.ts';
import { StdioTransport } from './stdioTransport.ts';
import type { ConnectionFailure } from '../connectionTypes.ts';
import type { StopGrace } from '../process/stopGrace.ts';
import { say } from '../../base/say.ts';

export interface StdioLinkOptions {
  readonly launch: LaunchSpec;
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly guardOptions: GuardOptions;
  readonly guard: ProcessGuard;
  readonly mask: Mask;
  /** Receives each line of stderr, before the log does. */
  readonly onStderr: (line: string) => void;
}

/** The guarded transport of a process: that it has `pid` and `stderr` makes the SDK probe for the era in the same process. */
class GuardedProcessTransport extends GuardedTransport {
  readonly #stdio: StdioTransport;

  constructor(stdio: StdioTransport, options: GuardOptions) {
    super(stdio, options);
    this.#stdio = stdio;
  }

  get pid(): number | null {
    return this.#stdio.pid;
  }

  get stderr(): Readable | null {
    return this.#stdio.stderr;
  }
}

/** A server that runs as a child process. */
export class StdioLink implements Link {
  readonly kind = 'stdio';
  readonly transport: GuardedProcessTransport;
  readonly #stdio: StdioTransport;
  readonly #logger: Logger;
  readonly #launch: LaunchSpec;
  readonly #platform: NodeJS.Platform;
  readonly #onLost = new Emitter<ConnectionFailure>();
  readonly onLost: Event<ConnectionFailure> = this.#onLost.event;
  #stopping = false;
  #lost: ConnectionFailure | undefined;

  constructor(options: StdioLinkOptions) {
    this.#logger = options.logger;
    this.#launch = options.launch;
    this.#platform = options.platform;
    const mark = options.guard.newMark();
    const launch = { ...options.launch, env: { ...options.launch.env, [MARK_VARIABLE]: mark } };
    this.#stdio = new StdioTransport({
      spawn: () => spawnServer(launch, options.platform),
      command: launch.command,
      mark,
      platform: options.platform,
      clock: options.clock,
      mask: options.mask,
      onStderr: (lines) => {
        for (const line of lines) {
          options.onStderr(line);
          this.#logger.log('info', `[stderr] ${line}`);
        }
      },
      onStarted: (pid) => options.guard.started(pid),
      onEnded: (pid) => options.guard.ended(pid),
      onNoise: (line, count) => this.#noise(line, count),
      onUnreadable: (id, reason) => {
        const isKnown = this.transport.unreadable(id, reason);
        if (isKnown) this.#logger.log('warning', `An answer of the server can't be read: ${reason}.`);
        return isKnown;
      },
      onFrame: () => options.guardOptions.tolerate('headers before a message'),
      onOversized: (line) => {
        this.#logger.log('error', `The server wrote a line of ${line.bytes} bytes, which is over the limit.`);
        this.transport.oversized(line);
      },
    });
    this.transport = new GuardedProcessTransport(this.#stdio, options.guardOptions);
    this.transport.onclose = () => this.#closed();
  }

  get pid(): number | undefined {
    return this.#stdio.pid ?? undefined;
  }

  get lost(): ConnectionFailure | undefined {
    return this.#lost;
  }

  get exit(): ExitStatus | undefined {
    return this.#stdio.exit;
  }

  stderrTail(): readonly string[] {
    return this.#stdio.stderrTail;
  }

  stderrLines(): readonly string[] {
    return this.#stdio.stderrLines;
  }

  async explainHandshake(fault: SdkFault, error: unknown): Promise<ConnectError> {
    const stderrTail = this.stderrTail();
    const cause = fault.kind === 'negotiation' ? (fault.cause ?? error) : error;
    if (cause instanceof SwitchboardError && cause.code !== 'connection-lost' && cause.code !== 'not-connected') {
      return new ConnectError(cause.code, cause.message, {
        ...(cause.remedy === undefined ? {} : { remedy: cause.remedy }),
        cause,
        stderrTail,
      });
    }
    const exit = this.#stdio.exit;
    if (exit) {
      // A shell reads what the system can't run, so the program's own words say nothing.
      const other = await otherMachine(this.#launch.command, this.#platform, process.arch);
      return new ConnectError('exited', this.#exitText(exit, true, other), {
        remedy:
          other === undefined
            ? startAdvice({ lines: this.#written(), withheld: this.#launch.withheld ?? [] })
            : say`Install the build for this system and processor.`,
        cause: error,
        stderrTail,
      });
    }
    if (cause instanceof SwitchboardError) {
      return new ConnectError(
        'connection-lost',
        say`The server closed its stdin before it was ready, but did not exit.`,
        {
          remedy: say`See the end of its log.`,
          cause: error,
          stderrTail,
        },
      );
    }
    const why = fault.kind === 'protocol' || fault.kind === 'invalid' ? fault.message : messageText(error);
    return new ConnectError('handshake-failed', say`The server's answer to the handshake isn't MCP: ${why}.`, {
      remedy: say`Check that the command starts an MCP server that speaks over its standard input and output.`,
      cause: error,
      stderrTail,
    });
  }

  stop(grace: StopGrace): Promise<void> {
    this.#stopping = true;
    return this.#stdio.stop(grace);
  }

  dispose(): void {
    this.#onLost.dispose();
  }

  #exitText(exit: ExitStatus, isStart: boolean, why?: string): string {
    const isAboutErrors = isEndedBySignal(exit);
    const telling =
      why ??
      tellingLine(this.#stdio.lastStderr, isAboutErrors) ??
      tellingLine(this.#stdio.lastNoise, isAboutErrors || !isStart);
    const end = telling === undefined ? '.' : `: ${telling}${/[.!?…]$/.test(telling) ? '' : '.'}`;
    return say`The server ${describeExit(exit, this.#launch.command)}${isStart ? say` before it was ready` : ''}${end}`;
  }

  /** All that it wrote that is no message: stderr counts most. */
  #written(): readonly string[] {
    return [...this.#stdio.lastNoise, ...this.#stdio.lastStderr];
  }

  #noise(line: string, count: number): void {
    if (count === 1) {
      this.#logger.log(
        'warning',
        `The server writes lines on stdout that aren't MCP; they are ignored. First: ${line}`,
      );
    } else if (count % 1000 === 0) {
      this.#logger.log('warning', `${count} such lines so far.`);
    }
  }

  #closed(): void {
    if (this.#lost || this.#stopping) return;
    const exit = this.#stdio.exit;
    this.#lost = {
      code: 'connection-lost',
      message: exit ? this.#exitText(exit, false) : say`The server closed its stdout, but did not exit.`,
      remedy: say`See the end of its log.`,
      stderrTail: this.stderrTail(),
    };
    this.#onLost.fire(this.#lost);
  }
}

function messageText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
