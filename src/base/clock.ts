import { toDisposable, type Disposable } from './disposable.ts';

/** The longest that a timer of Node waits, in milliseconds (some 24 days): one that should wait longer fires at once. */
export const LONGEST_DELAY_MS = 2 ** 31 - 1;

/** Time as a port, so that tests of long waits need not wait. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `callback` once after `delayMs` (at once where that is past, and after `LONGEST_DELAY_MS` at most), unless disposed before. The timer doesn't keep the process alive. */
  schedule(delayMs: number, callback: () => void): Disposable;
}

/** What is looked at now and then is looked at together, so that an idle process wakes only once in so many milliseconds. */
export const WAKE_MS = 10_000;

/** Milliseconds until the first common time to wake that is not before `at`. */
export function untilWake(clock: Clock, at: number): number {
  return Math.max(0, Math.ceil(at / WAKE_MS) * WAKE_MS - clock.now());
}

/** The real clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(delayMs, callback) {
    const timer = setTimeout(
      () => {
        subscription.dispose();
        callback();
      },
      Math.min(LONGEST_DELAY_MS, Math.max(0, delayMs)),
    );
    timer.unref();
    const subscription = toDisposable(() => clearTimeout(timer));
    return subscription;
  },
};
