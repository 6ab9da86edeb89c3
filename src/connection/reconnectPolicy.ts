import type { ErrorCode } from '../base/errors.ts';
import type { ConnectionEvent } from './connectionState.ts';
import type { ConnectionFailure } from './connectionTypes.ts';

/** Numbers of the reconnection policy (design: *Connections*). */
export interface BackoffSettings {
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
  readonly maxAttempts: number;
  /** A connection that lasted this long resets the count. */
  readonly healthyAfterMs: number;
}

export const DEFAULT_BACKOFF: BackoffSettings = {
  initialDelayMs: 1000,
  maxDelayMs: 30_000,
  maxAttempts: 5,
  healthyAfterMs: 60_000,
};

/** One further attempt: which it is (counted from 1) and how long to wait for it. */
interface PlannedAttempt {
  readonly attempt: number;
  readonly delayMs: number;
}

/**
 * When to try again after `attemptsSoFar` attempts in a row: doubling delays with jitter (between 75 % and 100 % of the
 * delay, so that many servers don't reconnect at once). `undefined`: give up.
 *
 * @param random a number from 0 up to 1
 */
export function planAttempt(
  settings: BackoffSettings,
  attemptsSoFar: number,
  random: number,
): PlannedAttempt | undefined {
  if (attemptsSoFar >= settings.maxAttempts) return undefined;
  const full = Math.min(settings.maxDelayMs, settings.initialDelayMs * 2 ** attemptsSoFar);
  return { attempt: attemptsSoFar + 1, delayMs: Math.round(full * (0.75 + 0.25 * random)) };
}

export interface LossContext {
  readonly backoff: BackoffSettings;
  /** Attempts in a row. */
  readonly attemptsSoFar: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** A number from 0 up to 1. */
  readonly random: number;
}

/**
 * What follows a lost or failed connection (design: *Connections*): another attempt and when, a wait for a sign-in, or
 * the end. Pure. The first attempt is immediate where only the session is gone, and never before `Retry-After`.
 */
export function afterLoss(
  failure: ConnectionFailure,
  { backoff, attemptsSoFar, now, random }: LossContext,
): Extract<ConnectionEvent, { kind: 'retry' | 'auth-required' | 'failed' }> {
  if (failure.code === 'needs-auth') return { kind: 'auth-required', failure };
  const plan = isRetryable(failure.code) ? planAttempt(backoff, attemptsSoFar, random) : undefined;
  if (!plan) return { kind: 'failed', failure };
  const { attempt } = plan;
  const delayMs = failure.atOnce && attempt === 1 ? 0 : Math.max(plan.delayMs, failure.retryAfterMs ?? 0);
  return { kind: 'retry', attempt, maxAttempts: backoff.maxAttempts, nextAttemptAt: now + delayMs, failure };
}

/** Whether another attempt can help. What is missing, refused or wrong stays so until the user fixes it. */
function isRetryable(code: ErrorCode): boolean {
  switch (code) {
    case 'exited':
    case 'handshake-timeout':
    case 'connection-lost':
    case 'unreachable':
    case 'http-status':
      return true;
    default:
      return false;
  }
}
