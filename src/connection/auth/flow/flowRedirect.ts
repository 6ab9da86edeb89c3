import { randomBytes, timingSafeEqual } from 'node:crypto';
import { SwitchboardError } from '../../../base/errors.ts';
import type { Registration } from '../grants/accountGrants.ts';
import type { Redirect } from '../signInPorts.ts';
import type { FlowOptions } from './flowTypes.ts';
import { say } from '../../../base/say.ts';

/** Opens the address that the browser comes back to: the one that is registered, where it has to be that one. */
export function openRedirect(
  { ports, server, oauth }: FlowOptions,
  state: string,
  known: Registration | undefined,
): Promise<Redirect> {
  const fixed =
    oauth.redirectUri ??
    (oauth.callbackPort === undefined ? undefined : `http://localhost:${oauth.callbackPort}/callback`);
  const uri = fixed ?? known?.redirectUri;
  const isRequired = fixed !== undefined || known?.isGiven === true;
  return ports.openRedirect({ server, state, ...(uri === undefined ? {} : { registered: { uri, isRequired } }) });
}

/** What an answer of the browser is told by. */
export function newState(): string {
  return randomBytes(32).toString('base64url');
}

export function isSameState(answered: string | null, expected: string): boolean {
  const [one, other] = [Buffer.from(answered ?? ''), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

export function cancelled(): SwitchboardError {
  return new SwitchboardError('call-cancelled', say`The sign-in was cancelled.`);
}
