import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { deferred } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Mask } from '../../base/text/secrets.ts';
import { SwitchboardError } from '../../base/errors.ts';
import { STDERR_TAIL_LINES } from '../connectionFailure.ts';
import { describeExit, type ExitStatus } from './describeExit.ts';
import { treeKillerFor } from '../process/killProcessTree.ts';
import { StopLadder } from '../process/stopLadder.ts';
import { STOP_GRACE, type StopGrace } from '../process/stopGrace.ts';
import { MAX_TEXT_BYTES, type OversizedText } from '../reading/collectedText.ts';
import type { TextTransport } from '../protocol/textTransport.ts';
import { LineFramer } from './lineFraming.ts';
import { MessageLines } from './messageLines.ts';
import { StderrRing } from './serverStderr.ts';
import { say } from '../../base/say.ts';

/** How many of its last lines on stderr are looked at for the reason why it ended. */
const TELLING_LINES = 60;
/** Of a line on stdout that is no message, so much is kept, in characters. */
const MAX_NOISE_CHARS = 1_000;
/** How many tell how far an install is. */
const PROGRESS_LINES = 200;
/** How long the last bytes of an ended process may take, while something else holds its pipes. */
const DRAIN_MS = 200;
/** A process that closed its stdout is stopped after this. */
const MUTE_MS = 1000;

export interface StdioOptions {
  /** Starts the process. @throws SwitchboardError, see `spawnServer` */
  readonly spawn: () => Promise<ChildProcessWithoutNullStreams>;
  /** Its program, for what is said of its end. */
  readonly command: string;
  readonly platform: NodeJS.Platform;
  /** The value of `MARK_VARIABLE` in its environment. */
  readonly mark: string;
  readonly clock: Clock;
  /** Masks the server's secrets in what isn't a message. */
  readonly mask: Mask;
  readonly maxLineBytes?: number;
  /** Complete lines that the server wrote on stderr. */
  onStderr(lines: readonly string[]): void;
  /** A line on stdout that isn't JSON-RPC (cut to 200 characters); `count` so far. */
  onNoise(line: string, count: number): void;
  onOversized(line: OversizedText): void;
  /** A message stands behind headers. */
  onFrame(): void;
  /** An answer can't be read. Returns whether it is for a request that waits. */
  onUnreadable(id: string | number | undefined, reason: string): boolean;
  /** The process runs and leads its group. */
  onStarted(pid: number): void;
  /** No process of its group is left. */
  onEnded(pid: number): void;
}

/**
 * Runs a server as a child process and speaks newline-delimited JSON-RPC with it (specification: stdio transport).
 *
 * The SDK's own transport is not used: it kills the direct child only, waits for `close` instead of `exit`, hides the
 * exit code, starts the server twice to learn its protocol era, and frames in quadratic time. `pid` and `stderr` being
 * there tells the SDK to probe for the era in place.
 */
export class StdioTransport implements TextTransport {
  onmessage?: NonNullable<TextTransport['onmessage']>;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  readonly #options: StdioOptions;
  readonly #ring: StderrRing;
  readonly #lines: MessageLines;
  readonly #exited = deferred<ExitStatus>();
  #launching: Promise<ChildProcessWithoutNullStreams> | undefined;
  #child: ChildProcessWithoutNullStreams | undefined;
  #exit: ExitStatus | undefined;
  #ownExit: ExitStatus | undefined;
  #closed = false;
  readonly #gone = deferred<void>();
  #noise = 0;
  /** The last lines on stdout that are no messages. */
  #noiseLines: string[] = [];
  #ladder: StopLadder | undefined;
  #stopped: Promise<void> | undefined;
  #stopAsked = false;
  /** Something was sent in this turn. */
  #hasSent = false;
  #muteTimer: Disposable | undefined;
  #drainTimer: Disposable | undefined;

  constructor(options: StdioOptions) {
    this.#options = options;
    this.#ring = new StderrRing(options.mask);
    this.#lines = new MessageLines(
      {
        onMessage: (message, text) => this.onmessage?.(message as unknown as JSONRPCMessage, { text }),
        onNoise: (line) => this.#onNoise(line),
        onUnreadable: (id, reason, line) => {
          if (!options.onUnreadable(id, reason)) this.#onNoise(line);
        },
        onBusy: (isBusy) => (isBusy ? this.#child?.stdout.pause() : this.#child?.stdout.resume()),
      },
      options.clock,
    );
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get stderr(): Readable | null {
    return this.#child?.stderr ?? null;
  }

  /** How the process exited; `undefined` while it runs, or where it was stopped. */
  get exit(): ExitStatus | undefined {
    return this.#ownExit;
  }

  get stderrTail(): readonly string[] {
    return this.#ring.tail(STDERR_TAIL_LINES);
  }

  /** What tells why it ended is often above the end of what it wrote. */
  get lastStderr(): readonly string[] {
    return this.#ring.tail(TELLING_LINES);
  }

  /** The last lines on stdout that are no messages: programs write there, too, why they end. */
  get lastNoise(): readonly string[] {
    return this.#noiseLines;
  }

  /** All that is remembered of it. */
  get stderrLines(): readonly string[] {
    return this.#ring.tail(PROGRESS_LINES);
  }

  async start(): Promise<void> {
    this.#launching = this.#options.spawn();
    const child = await this.#launching;
    this.#child = child;
    if (child.pid !== undefined) this.#options.onStarted(child.pid);
    const framer = new LineFramer(
      {
        onLine: (line) => this.#lines.push(line),
        onOversized: (line) => this.#options.onOversized(line),
        onHeader: (line) => this.#lines.weigh(line),
        onFrame: () => this.#options.onFrame(),
      },
      this.#options.maxLineBytes ?? MAX_TEXT_BYTES,
    );
    child.stdout.on('data', (chunk: Buffer) => framer.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => {
      this.#options.onStderr(this.#ring.push(chunk));
      // One chunk a turn: the system gives as many at once as a process writes meanwhile.
      child.stderr.pause();
      setImmediate(() => child.stderr.resume());
    });
    for (const stream of [child.stdin, child.stdout, child.stderr])
      stream.on('error', (error: Error) => this.onerror?.(error));
    child.on('error', (error) => this.onerror?.(error));
    child.once('exit', (code, signal) => this.#onExit(child, { code, signal }));
    child.stdout.once('end', () => this.#onMute());
  }

  /** @throws SwitchboardError when the process is gone: `not-connected` where it got nothing, else `connection-lost` */
  async send(message: unknown): Promise<void> {
    return this.sendText(JSON.stringify(message));
  }

  /** @throws as `send` */
  async sendText(text: string): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin || this.#exit || stdin.destroyed || stdin.writableEnded) {
      await this.#untilEnd();
      throw this.#goneError('not-connected');
    }
    this.#joinWrites(stdin);
    const error = await new Promise<Error | null | undefined>((resolve) => {
      stdin.write(`${text}\n`, resolve);
    });
    if (!error) return;
    await this.#untilEnd();
    throw this.#goneError('connection-lost', error);
  }

  /** The first message of a turn goes out at once, what else is sent in it in one write: many calls are one to the system. */
  #joinWrites(stdin: Writable): void {
    if (this.#hasSent) {
      if (stdin.writableCorked === 0) stdin.cork();
      return;
    }
    this.#hasSent = true;
    process.nextTick(() => {
      this.#hasSent = false;
      stdin.uncork();
    });
  }

  /** For the SDK: ends the process, or joins a stop that is under way. */
  close(): Promise<void> {
    return (this.#stopped ??= this.#stop(STOP_GRACE.orderly));
  }

  /** Ends the process and everything it started. A second call goes to the next step at once. */
  stop(grace: StopGrace): Promise<void> {
    if (this.#stopAsked) this.#ladder?.escalate();
    this.#stopAsked = true;
    return (this.#stopped ??= this.#stop(grace));
  }

  async #stop(grace: StopGrace): Promise<void> {
    // A process that is just being started would otherwise go on unnoticed.
    const child = await this.#launching?.catch(() => undefined);
    if (child?.pid === undefined) return this.#reportClosed();
    this.#ladder = new StopLadder(
      { exited: this.#exited.promise, endInput: () => child.stdin.end() },
      treeKillerFor(this.#options.platform, child.pid, this.#options.mark),
      this.#options.clock,
    );
    await this.#ladder.run(grace);
    this.#options.onEnded(child.pid);
    this.#muteTimer?.dispose();
    // What it may still write is of no interest.
    this.#drainTimer?.dispose();
    this.#reportClosed();
  }

  #onNoise(line: string): void {
    // What Windows' own programs write in UTF-16.
    const shown = this.#options.mask(line.slice(0, 20_000).replaceAll('\0', '')).slice(0, MAX_NOISE_CHARS);
    if (shown.trim() === '') return;
    this.#noise++;
    this.#noiseLines = [...this.#noiseLines.slice(1 - TELLING_LINES), shown];
    this.#options.onNoise(shown.slice(0, 200), this.#noise);
  }

  #onExit(child: ChildProcessWithoutNullStreams, status: ExitStatus): void {
    this.#exit = status;
    if (!this.#stopped) this.#ownExit = status;
    this.#exited.resolve(status);
    // `exit`, not `close`: a grandchild may hold the pipes for ever. The last output may still arrive.
    if (this.#closed) return;
    this.#drainTimer = this.#options.clock.schedule(DRAIN_MS, () => this.#afterExit());
    child.once('close', () => {
      this.#drainTimer?.dispose();
      this.#afterExit();
    });
  }

  #afterExit(): void {
    if (this.#closed) return;
    if (this.#lines.isBusy) {
      // What it wrote before it ended counts.
      this.#drainTimer = this.#options.clock.schedule(DRAIN_MS, () => this.#afterExit());
      return;
    }
    this.#muteTimer?.dispose();
    this.#child?.stdout.destroy();
    this.#child?.stderr.destroy();
    this.#reportClosed();
    // Ends what it left behind.
    void this.close();
  }

  #onMute(): void {
    if (this.#exit) return;
    this.#muteTimer = this.#options.clock.schedule(MUTE_MS, () => {
      this.onerror?.(new Error('The server closed its stdout, but did not exit.'));
      void this.close();
    });
  }

  /**
   * Waits for the end of a process that no longer reads, and for what it wrote: whoever is told before closes this, and then
   * nobody knows that it ended by itself. Not long, for it may go on.
   */
  async #untilEnd(): Promise<void> {
    if (this.#stopped) return;
    const timer = this.#options.clock.schedule(DRAIN_MS, () => this.#gone.resolve());
    await this.#gone.promise;
    timer.dispose();
  }

  #reportClosed(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#lines.dispose();
    this.#gone.resolve();
    this.onclose?.();
  }

  #goneError(code: 'not-connected' | 'connection-lost', cause?: unknown): SwitchboardError {
    const why = this.#exit ? describeExit(this.#exit, this.#options.command) : 'no longer reads its stdin';
    return new SwitchboardError(code, say`The server ${why}.`, { cause });
  }
}
