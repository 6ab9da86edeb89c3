import type { EntryTimings } from '../config/configTypes.ts';

/** The lesser numbers of a connection, in milliseconds (design: *Connections*). */
export interface ConnectionTimings {
  /** How long a package runner gets for the handshake at least: it may download its package first. */
  readonly packageRunnerHandshakeMs: number;
  /** After this long a start counts as slow and no longer holds up the rest. */
  readonly slowStartMs: number;
  /** How long changes of a list are gathered before it is fetched anew. */
  readonly listDebounceMs: number;
  /** A connection over the network that was silent for this long is asked whether it is still there. */
  readonly keepAliveMs: number;
  /** How long it is remembered that a server wants a sign-in, so that a start doesn't hammer it. */
  readonly needsAuthMemoryMs: number;
}

export const DEFAULT_TIMINGS: ConnectionTimings = {
  packageRunnerHandshakeMs: 60_000,
  slowStartMs: 5_000,
  listDebounceMs: 100,
  keepAliveMs: 30_000,
  needsAuthMemoryMs: 15 * 60_000,
};

/** The numbers for one server: its own before the settings', and these before the defaults. Pure. */
export function timingsFor(
  settings: { readonly timings?: Partial<ConnectionTimings> },
  own?: EntryTimings,
): ConnectionTimings {
  return { ...DEFAULT_TIMINGS, ...settings.timings, ...own };
}
