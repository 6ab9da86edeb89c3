import type { Clock } from './clock.ts';
import { toDisposable, type Disposable } from './disposable.ts';

export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** A promise and the functions that settle it. */
export function deferred<T>(): Deferred<T> {
  return Promise.withResolvers<T>();
}

/** Settles as `promise` does, or with `onTimeout()` after `timeoutMs`. The promise itself goes on. */
export async function withTimeout<T>(
  promise: Promise<T>,
  timeoutMs: number,
  clock: Clock,
  onTimeout: () => T | Promise<T>,
): Promise<T> {
  const expired = deferred<'expired'>();
  const timer = clock.schedule(timeoutMs, () => expired.resolve('expired'));
  try {
    const first = await Promise.race([promise.then((value) => ({ value })), expired.promise]);
    return first === 'expired' ? await onTimeout() : first.value;
  } finally {
    timer.dispose();
  }
}

/** Resolves after `delayMs`. */
export function delay(delayMs: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.schedule(delayMs, resolve);
  });
}

/** Calls `action` once, `delayMs` after the first `trigger()`: what comes meanwhile is part of it. */
export class Batch implements Disposable {
  readonly #delayMs: number;
  readonly #clock: Clock;
  readonly #action: () => void;
  #timer: Disposable | undefined;

  constructor(delayMs: number, clock: Clock, action: () => void) {
    this.#delayMs = delayMs;
    this.#clock = clock;
    this.#action = action;
  }

  trigger(): void {
    this.#timer ??= this.#clock.schedule(this.#delayMs, () => {
      this.#timer = undefined;
      this.#action();
    });
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }
}

/** Calls `action` once, `delayMs` after the last `trigger()`. */
export class Debouncer extends Batch {
  override trigger(): void {
    this.dispose();
    super.trigger();
  }
}

/** An action that takes long pauses for this many times as long, so that it takes a tenth of the time at most; but no longer than this. */
const PAUSE_PER_ACTION = 9;
const MAX_PAUSE_MS = 1_000;

/**
 * Calls `action` at the first `trigger()` at once, then at most every `intervalMs`, and less often where it takes long; never
 * misses the last one.
 */
export class Throttle implements Disposable {
  readonly #intervalMs: number;
  readonly #clock: Clock;
  readonly #action: () => void;
  #pause: Disposable | undefined;
  #isWanted = false;

  constructor(intervalMs: number, clock: Clock, action: () => void) {
    this.#intervalMs = intervalMs;
    this.#clock = clock;
    this.#action = action;
  }

  trigger(): void {
    if (this.#pause) {
      this.#isWanted = true;
      return;
    }
    this.#isWanted = false;
    this.#pauseFor(this.#intervalMs);
    const began = this.#clock.now();
    this.#action();
    const longMs = Math.min((this.#clock.now() - began) * PAUSE_PER_ACTION, MAX_PAUSE_MS);
    if (this.#pause && longMs > this.#intervalMs) this.#pauseFor(longMs);
  }

  #pauseFor(delayMs: number): void {
    this.#pause?.dispose();
    this.#pause = this.#clock.schedule(delayMs, () => {
      this.#pause = undefined;
      if (this.#isWanted) this.trigger();
    });
  }

  dispose(): void {
    this.#pause?.dispose();
    this.#pause = undefined;
    this.#isWanted = false;
  }
}

/** Runs tasks one after another, in the order given. A task that fails doesn't stop the next. */
export class Sequencer {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(task, task);
    this.#tail = result.catch(() => undefined);
    return result;
  }
}

/** Ends when `signal` does: calls `onAbort` at once if it has already. Dispose to stop listening. */
export function onAbort(signal: AbortSignal, listener: () => void): Disposable {
  if (signal.aborted) {
    listener();
    return toDisposable(() => undefined);
  }
  signal.addEventListener('abort', listener, { once: true });
  return toDisposable(() => signal.removeEventListener('abort', listener));
}
