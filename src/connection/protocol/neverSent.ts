import { SwitchboardError } from '../../base/errors.ts';

/** A later message of a request failed: an earlier one of it has reached the server. */
export class LaterRoundError extends Error {
  override readonly name = 'LaterRoundError';
}

/**
 * Whether a failure proves that nothing of the request was sent, so that the server can't have acted on it: its own
 * connection wasn't made, or it was refused here (`not-connected`). Pure.
 */
export function wasNeverSent(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof LaterRoundError) return false;
    if (at instanceof SwitchboardError && at.code === 'not-connected') return true;
    // One error per address that was tried.
    if (at instanceof AggregateError && at.errors.length > 0) return at.errors.every((each) => wasNeverSent(each));
    if (isOfConnecting(at)) return true;
  }
  return false;
}

/** The code alone doesn't tell: a connection that was made can end with EHOSTUNREACH, too. */
function isOfConnecting(error: Error & { readonly syscall?: unknown; readonly code?: unknown }): boolean {
  const { syscall, code } = error;
  return syscall === 'connect' || syscall === 'getaddrinfo' || code === 'UND_ERR_CONNECT_TIMEOUT';
}
