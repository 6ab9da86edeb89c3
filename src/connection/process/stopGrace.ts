/** How long each step of the stop ladder waits before the next (specification: stdio, *Shutdown*). */
export interface StopGrace {
  readonly afterEofMs: number;
  readonly afterTermMs: number;
}

/** How much time a server gets to end by itself, by why it is stopped. */
export const STOP_GRACE = {
  /** The user, an edit of the configuration or the SDK ends it. */
  orderly: { afterEofMs: 2000, afterTermMs: 2000 },
  /** The editor ends: it kills the extension host after 5 s. */
  deactivation: { afterEofMs: 1000, afterTermMs: 1000 },
  /** Its connection is lost already. */
  lost: { afterEofMs: 500, afterTermMs: 1000 },
  /** It didn't finish its handshake. */
  failedHandshake: { afterEofMs: 500, afterTermMs: 500 },
  none: { afterEofMs: 0, afterTermMs: 0 },
} as const satisfies Record<string, StopGrace>;
