import { delay, onAbort } from '../base/async.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { SwitchboardError } from '../base/errors.ts';

/** How often and how patiently a call is tried again (settings `retry.*`). */
export interface RetrySettings {
  readonly maxAttempts: number;
  readonly initialDelayMs: number;
  readonly multiplier: number;
  readonly maxDelayMs: number;
}

/** HTTP answers that mean "not now". */
const PASSING_STATUS: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * How long to wait before the next attempt, or `undefined` where there is none. Tried again is only what may pass by
 * itself, and only where the server has certainly not acted (`not-connected`) or the tool is safe to repeat. A call that
 * timed out is not tried again: it may still run, and would take as long again.
 * @param attempt how many were made, from 1
 * @param random from 0 to 1; the delay is between half and all of what it would be
 */
export function retryDelayMs(
  error: unknown,
  attempt: number,
  safeToRepeat: boolean,
  settings: RetrySettings,
  random: number,
): number | undefined {
  if (attempt >= settings.maxAttempts || !mayPass(error, safeToRepeat)) return undefined;
  const delayMs = Math.min(settings.maxDelayMs, settings.initialDelayMs * settings.multiplier ** (attempt - 1));
  return Math.round(delayMs * (0.5 + random / 2));
}

function mayPass(error: unknown, safeToRepeat: boolean): boolean {
  if (!(error instanceof SwitchboardError)) return false;
  switch (error.code) {
    case 'not-connected':
      return true;
    case 'connection-lost':
    case 'unreachable':
      return safeToRepeat;
    case 'http-status':
      return safeToRepeat && PASSING_STATUS.has(statusOf(error.cause));
    default:
      return false;
  }
}

function statusOf(cause: unknown): number {
  // The SDK's errors of Streamable HTTP have it as `status`, those of SSE as `code`.
  const { status, code } = (cause ?? {}) as { readonly status?: unknown; readonly code?: unknown };
  return typeof status === 'number' ? status : typeof code === 'number' ? code : 0;
}

/** Whether a failed call belongs on the dead-letter list: it was meant to run, and what kept it from that may pass. */
export function isFinalFailure(error: unknown): boolean {
  if (!(error instanceof SwitchboardError)) return true;
  switch (error.code) {
    case 'denied':
    case 'unknown-tool':
    case 'unknown-server':
    case 'invalid-arguments':
    case 'call-cancelled':
    case 'tool-error':
      return false;
    default:
      return true;
  }
}

/**
 * Waits before a call is tried again.
 * @throws SwitchboardError `call-cancelled` where `signal` aborts before that
 */
export async function pause(delayMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  let abortion: Disposable | undefined;
  const cancelled = new Promise<never>((_, reject) => {
    abortion = onAbort(signal, () =>
      reject(new SwitchboardError('call-cancelled', 'The call was cancelled before it was retried.')),
    );
  });
  try {
    await Promise.race([delay(delayMs, clock), cancelled]);
  } finally {
    abortion?.dispose();
  }
}
