import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { describeExit, type ExitStatus } from '../stdio/describeExit.ts';
import { tellingLine } from '../stdio/stderrReason.ts';
import type { ReadStartedTree } from '../process/startedTree.ts';
import { installFault, type InstallFault } from './installFault.ts';
import { fetcherOf, isWrapper } from './processRole.ts';
import { startStep, type Installing, type StartStep } from './startStep.ts';
import type { StartTime } from './startTime.ts';

export interface StartWatchOptions {
  readonly clock: Clock;
  /** The time whose phase this sets. */
  readonly time: StartTime;
  readonly readTree: ReadStartedTree;
  /** What was started, with its arguments. */
  readonly command: readonly [program: string, ...args: string[]];
  /** From then on any start is looked at; one that may install something earlier. */
  readonly slowStartMs: number;
  /** To read the tree takes long here. */
  readonly isCostly: boolean;
  /** The process that was started; `undefined` before. */
  readonly pid: () => number | undefined;
  /** What it wrote on stderr, oldest first. */
  readonly lines: () => readonly string[];
  /** Where the start is, at each look. */
  readonly onStep: (step: StartStep) => void;
}

/** Between two looks, and before the first. */
const EVERY_MS = { cheap: 1000, costly: 4000 };

/** A runner that only looks whether its package is still the latest is done by then. */
const SHOWN_MS = 3000;

/**
 * Looks again and again at what a process that is being started does, until it is disposed, and tells the start's time what
 * to count.
 */
export class StartWatch implements Disposable {
  readonly #options: StartWatchOptions;
  readonly #everyMs: number;
  readonly #expected: Installing | undefined;
  #step: StartStep = { kind: 'unknown' };
  #lastProgress: string | undefined;
  #timer: Disposable | undefined;
  #isOver = false;
  readonly #begunAt: number;
  #last = '';
  #saidAt: number;

  constructor(options: StartWatchOptions) {
    this.#options = options;
    this.#begunAt = options.clock.now();
    this.#saidAt = this.#begunAt;
    const [program, ...args] = options.command;
    this.#everyMs = EVERY_MS[options.isCostly ? 'costly' : 'cheap'];
    this.#expected = fetcherOf(program, args);
    this.#plan(this.#expected || isWrapper(program, args) ? this.#everyMs : options.slowStartMs);
  }

  /** What is being installed, as far as that is known; `undefined` where the server's own process was seen. */
  get installing(): Installing | undefined {
    if (this.#step.kind === 'installing') return this.#named(this.#step);
    return this.#step.kind === 'unknown' ? this.#expected : undefined;
  }

  /** Why an install failed; `undefined` where the process that ended was the server. */
  installFault(exit: ExitStatus | undefined): InstallFault | undefined {
    const lines = this.#options.lines();
    return installFault(this.installing, lines, exit && this.#endOfInstall(exit, lines));
  }

  /** How a process ended that was seen to install; nobody saw what it did after that. */
  #endOfInstall(exit: ExitStatus, lines: readonly string[]): string | undefined {
    if (this.#step.kind !== 'installing') return undefined;
    // After a script that failed, npm removes what it has fetched.
    const progress = this.#step.progress ?? this.#lastProgress;
    // npm says nothing of a script of a package that failed.
    const isSilent = exit.code !== 0 && progress !== undefined && tellingLine(lines) === undefined;
    if (exit.signal === null && !isSilent) return undefined;
    return describeExit(exit) + (progress === undefined ? '' : `, at “${progress}”`);
  }

  dispose(): void {
    this.#isOver = true;
    this.#timer?.dispose();
  }

  /** With the names of the definition: `npx` calls itself `npm exec`. */
  #named<T extends Installing>(step: T): T {
    const what = step.what ?? this.#expected?.what;
    return { ...step, tool: this.#expected?.tool ?? step.tool, ...(what === undefined ? {} : { what }) };
  }

  #plan(ms: number): void {
    if (!this.#isOver) this.#timer = this.#options.clock.schedule(ms, () => void this.#look());
  }

  async #look(): Promise<void> {
    const { clock, time, readTree, pid, lines, onStep } = this.#options;
    const leader = pid();
    const tree = leader === undefined ? [] : await readTree(leader);
    if (this.#isOver) return;
    const said = lines();
    const text = said.slice(-3).join('\n');
    if (text !== this.#last) [this.#last, this.#saidAt] = [text, clock.now()];
    const step = startStep({ tree, lines: said, silentMs: clock.now() - this.#saidAt });
    if (step.kind !== 'unknown') {
      this.#step = step;
      if (step.kind === 'installing') this.#lastProgress = step.progress ?? this.#lastProgress;
      time.enter(step.kind === 'installing' ? 'installing' : 'handshake');
    }
    if (step.kind !== 'installing') onStep(step);
    else if (step.progress !== undefined || clock.now() - this.#begunAt >= SHOWN_MS) onStep(this.#named(step));
    this.#plan(this.#everyMs);
  }
}
