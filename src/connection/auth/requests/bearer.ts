import type { StoredOAuthTokens } from '@modelcontextprotocol/client';
import type { Clock } from '../../../base/clock.ts';
import { SwitchboardError } from '../../../base/errors.ts';
import { isConfidential } from './addressRules.ts';
import type { GrantTokens } from '../grants/accountGrants.ts';
import { say } from '../../../base/say.ts';

/** Whether a token for the server may be sent there: to its origin alone, and where nobody else can read it. Pure. */
export function canBeSentTo(url: URL, serverUrl: URL): boolean {
  return url.origin === serverUrl.origin && isConfidential(url);
}

/** The request with the token, which replaces any other. */
export function withBearer(init: RequestInit | undefined, token: string): RequestInit {
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

/**
 * Tokens as they are kept.
 * @throws SwitchboardError `denied` where the access token fits into no header: an error about the header would show it
 */
export function keptTokens(tokens: StoredOAuthTokens, host: string, clock: Clock): GrantTokens {
  // RFC 6750, section 2.1.
  if (!/^[\w.~+/-]+=*$/.test(tokens.access_token))
    throw new SwitchboardError('denied', say`${host} granted an access token that can't be sent.`, {
      remedy: say`Ask the owner of the authorization server.`,
    });
  const { expires_in: seconds } = tokens;
  return { ...tokens, ...(seconds === undefined ? {} : { expiresAt: clock.now() + seconds * 1000 }) };
}

/** Whether a definition authorizes its requests itself. */
export function hasAuthorization(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}
