import type { EntryTimings } from '../config/configTypes.ts';

/** Timings of a connection, in milliseconds (design: *Connections*). */
export interface ConnectionTimings {
  /** How long a runner may fetch or build a server; the time for the handshake comes on top. */
  readonly installMs: number;
  /** A start that takes longer is slow and frees its slot. */
  readonly slowStartMs: number;
  /** Wait after a `list_changed` before the list is fetched again. */
  readonly listDebounceMs: number;
  /** Silence on a network connection before it is pinged. */
  readonly keepAliveMs: number;
  /** How long a server that requires a sign-in is not asked again by a start. */
  readonly needsAuthMemoryMs: number;
}

export const DEFAULT_TIMINGS: ConnectionTimings = {
  installMs: 10 * 60_000,
  slowStartMs: 5_000,
  listDebounceMs: 100,
  keepAliveMs: 30_000,
  needsAuthMemoryMs: 15 * 60_000,
};

/** The timings of one server: its own, else the settings', else the defaults. Pure. */
export function timingsFor(
  settings: { readonly timings?: Partial<ConnectionTimings> },
  own?: EntryTimings,
): ConnectionTimings {
  return { ...DEFAULT_TIMINGS, ...settings.timings, ...own };
}
