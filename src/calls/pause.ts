import { delay, onAbort } from '../base/async.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { SwitchboardError } from '../base/errors.ts';

/**
 * Waits before a call is tried again.
 * @throws SwitchboardError `call-cancelled` where `signal` aborts before that
 */
export async function pause(delayMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  let abortion: Disposable | undefined;
  const cancelled = new Promise<never>((_, reject) => {
    abortion = onAbort(signal, () =>
      reject(new SwitchboardError('call-cancelled', 'The call was cancelled before it was tried again.')),
    );
  });
  try {
    await Promise.race([delay(delayMs, clock), cancelled]);
  } finally {
    abortion?.dispose();
  }
}
