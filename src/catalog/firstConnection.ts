import type { ConnectionState } from '../connection/connectionTypes.ts';

/** How far a connection's first attempt is: not begun, under way, or over, whatever came of it. */
export type FirstAttempt = 'waiting' | 'under-way' | 'over';

/**
 * The same after the connection is seen in a state. Pure. It goes forward only: what is connected anew after it was lost,
 * refused or ended is no first attempt.
 */
export function firstAttempt(before: FirstAttempt, state: ConnectionState['kind']): FirstAttempt {
  if (before === 'over') return 'over';
  if (state === 'connecting' || state === 'installing') return 'under-way';
  return state === 'disconnected' && before === 'waiting' ? 'waiting' : 'over';
}

/**
 * Whether a server's tools are offered from memory: only where a call gets it, since it connects the server, or waits for its
 * first attempt. A server that was there and is lost offers nothing until it is there again.
 */
export function offersRemembered(attempt: FirstAttempt, connectsOnDemand: boolean): boolean {
  return attempt === 'under-way' || (attempt === 'waiting' && connectsOnDemand);
}
