/** Numbers of the reconnection policy (design: *Connections*). */
export interface BackoffSettings {
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
  readonly maxAttempts: number;
  /** A connection that held this long starts the count anew. */
  readonly healthyAfterMs: number;
}

export const DEFAULT_BACKOFF: BackoffSettings = {
  initialDelayMs: 1000,
  maxDelayMs: 30_000,
  maxAttempts: 5,
  healthyAfterMs: 60_000,
};

/** One further attempt: which it is (counted from 1) and how long to wait for it. */
export interface PlannedAttempt {
  readonly attempt: number;
  readonly delayMs: number;
}

/**
 * When to try again after `attemptsSoFar` attempts in a row: doubling delays with jitter (between 75 % and 100 % of the
 * delay, so that many servers lost at once don't come back at once). `undefined`: give up.
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
