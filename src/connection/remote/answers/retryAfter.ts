/** Longest `Retry-After` that is respected. */
const LONGEST_RETRY_AFTER_MS = 5 * 60_000;

/** `Retry-After` (RFC 9110, section 10.2.3: seconds, or a date) in milliseconds from `now`. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, ms));
}
