import { toDisposable, type Disposable } from './disposable.ts';

/** Time as a port, so that tests of long waits need not wait. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `callback` once after `delayMs` (at once where that is past), unless disposed before. The timer doesn't keep the process alive. */
  schedule(delayMs: number, callback: () => void): Disposable;
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
      Math.max(0, delayMs),
    );
    timer.unref();
    const subscription = toDisposable(() => clearTimeout(timer));
    return subscription;
  },
};
