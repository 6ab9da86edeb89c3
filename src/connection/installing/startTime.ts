import { deferred } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { type Disposable } from '../../base/disposable.ts';

/** What the time of a start counts for: for what fetches or builds the server, or for the server itself. */
export type StartPhase = 'installing' | 'handshake';

/** How long each phase of a start may take, in milliseconds. */
export type StartLimits = Readonly<Record<StartPhase, number>>;

/** The time that a start takes. Each limit counts only while the start is in its phase. */
export class StartTime implements Disposable {
  readonly #clock: Clock;
  readonly #timers = new Set<PhaseTimer>();
  readonly limits: StartLimits;
  readonly #over = deferred<StartPhase>();
  #phase: StartPhase;
  #isOver = false;

  /** @param phase what it begins with */
  constructor(clock: Clock, phase: StartPhase, limits: StartLimits) {
    this.#clock = clock;
    this.#phase = phase;
    this.limits = limits;
    for (const each of ['installing', 'handshake'] as const) {
      this.limit(each, limits[each], () => {
        this.#isOver = true;
        this.#over.resolve(each);
      });
    }
  }

  /** Resolves with the phase that took too long. */
  get over(): Promise<StartPhase> {
    return this.#over.promise;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  enter(phase: StartPhase): void {
    this.#phase = phase;
    for (const timer of this.#timers) timer.run(timer.phase === phase);
  }

  /** Calls `over` once the start has been in `phase` for `limitMs` from now on. */
  limit(phase: StartPhase, limitMs: number, over: () => void): Disposable {
    const timer: PhaseTimer = new PhaseTimer(this.#clock, phase, limitMs, () => {
      this.#timers.delete(timer);
      over();
    });
    this.#timers.add(timer);
    timer.run(phase === this.#phase);
    return {
      dispose: () => {
        timer.run(false);
        this.#timers.delete(timer);
      },
    };
  }

  dispose(): void {
    for (const timer of this.#timers) timer.run(false);
    this.#timers.clear();
  }
}

class PhaseTimer {
  readonly phase: StartPhase;
  readonly #clock: Clock;
  readonly #over: () => void;
  #leftMs: number;
  #since = 0;
  #timer: Disposable | undefined;

  constructor(clock: Clock, phase: StartPhase, limitMs: number, over: () => void) {
    this.phase = phase;
    this.#clock = clock;
    this.#leftMs = limitMs;
    this.#over = over;
  }

  run(isRunning: boolean): void {
    if (isRunning === (this.#timer !== undefined)) return;
    if (!isRunning) {
      this.#timer?.dispose();
      this.#timer = undefined;
      this.#leftMs = Math.max(0, this.#leftMs - (this.#clock.now() - this.#since));
      return;
    }
    this.#since = this.#clock.now();
    this.#timer = this.#clock.schedule(this.#leftMs, this.#over);
  }
}
