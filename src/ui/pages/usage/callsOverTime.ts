import { isError, quantile, runMs, type HistoryEntry } from '../../../calls/history/callHistory.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How long a stretch may be, in milliseconds. */
const LENGTHS_MS = [
  10_000,
  30_000,
  ...[1, 5, 10, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 3, 6, 12, 24].map((hours) => hours * HOUR_MS),
];
const MOST_STRETCHES = 30;

/** The calls of a stretch of time. */
export interface Stretch {
  /** When it begins, in milliseconds since the epoch. */
  readonly at: number;
  readonly lengthMs: number;
  readonly calls: number;
  readonly errors: number;
  /** Of calls that succeeded without a question, in milliseconds; `null` where there is none. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/** The calls in stretches of one length, at most thirty, from the first call to the last; stretches without calls are there, too. */
export function callsOverTime(entries: readonly HistoryEntry[]): readonly Stretch[] {
  const times = entries.map(({ at }) => at);
  const first = times.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  const last = times.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  if (entries.length === 0) return [];
  const count = (lengthMs: number): number => Math.floor(last / lengthMs) - Math.floor(first / lengthMs) + 1;
  const fitting = LENGTHS_MS.find((lengthMs) => count(lengthMs) <= MOST_STRETCHES);
  const lengthMs = fitting ?? Math.ceil((last - first + 1) / (MOST_STRETCHES - 1));
  const byStretch = Map.groupBy(entries, ({ at }) => Math.floor(at / lengthMs));
  return Array.from({ length: count(lengthMs) }, (_none, index): Stretch => {
    const number = Math.floor(first / lengthMs) + index;
    const calls = byStretch.get(number) ?? [];
    const durations = calls.flatMap((entry) => runMs(entry) ?? []).sort((one, other) => one - other);
    const isKnown = durations.length > 0;
    return {
      at: number * lengthMs,
      lengthMs,
      calls: calls.length,
      errors: calls.filter(isError).length,
      p50Ms: isKnown ? quantile(durations, 0.5) : null,
      p95Ms: isKnown ? quantile(durations, 0.95) : null,
    };
  });
}
