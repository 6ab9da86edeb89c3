import { planAttempt, type BackoffSettings } from './reconnectBackoff.ts';
import { isRetryable } from './connectionFailure.ts';
import type { ConnectionEvent } from './connectionState.ts';
import type { ConnectionFailure } from './connectionTypes.ts';

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
 * What follows when a connection is gone or was not made (design: *Connections*): another attempt and when, a wait for a
 * sign-in, or the end. Pure. The first attempt comes at once where only the session is gone, and never before the time
 * that the server asked for.
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
