import { delay } from '../../../base/async.ts';
import type { Clock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Logger } from '../../../base/log.ts';
import { ConnectError } from '../../connectionFailure.ts';
import { type Grant, type GrantTokens, type SignedInVia, spent } from './accountGrants.ts';
import { isOfParameters, isUnreadable, tokenFault } from '../requests/authErrors.ts';
import { authFetch } from '../requests/authFetch.ts';
import { keptTokens } from '../requests/bearer.ts';
import { dpopSession } from '../requests/dpopKey.ts';
import { say } from '../../../base/say.ts';

type Sdk = typeof import('../../protocol/sdk.ts');
type OAuthVia = Extract<SignedInVia, { kind: 'oauth' }>;

/** Pauses between the attempts to renew a token. */
const RENEWAL_PAUSES_MS = [500, 2000] as const;

export interface RenewalOptions {
  readonly sdk: Sdk;
  readonly clock: Clock;
  readonly log: Logger;
  readonly serverUrl: URL;
  readonly fetch: typeof fetch;
}

/** What came of renewing a grant. */
export interface Renewed {
  /** With new tokens; without any where it is gone. */
  readonly next: Grant;
  readonly isClientGone?: boolean;
  /** It is as it was: the authorization server refuses, and doesn't say that it is gone. */
  readonly isRefused?: boolean;
}

/**
 * Renews the tokens of a grant (RFC 6749, section 6).
 * @throws ConnectError `unreachable` where the authorization server can't do it now, however often it is asked
 */
export async function renewGrant(
  options: RenewalOptions,
  grant: Grant,
  via: OAuthVia,
  signal: AbortSignal,
): Promise<Renewed> {
  const { sdk, clock, log } = options;
  const refreshToken = via.tokens?.refresh_token;
  if (refreshToken === undefined) return { next: spent(grant) };
  const host = new URL(grant.issuer).host;
  for (let attempt = 0; ; attempt++) {
    try {
      const tokens = await refreshed(options, grant, via, refreshToken, signal);
      log.log('debug', `The access token of ${host} was renewed.`);
      return { next: { ...grant, via: { ...via, tokens } } };
    } catch (error) {
      const fault = tokenFault(sdk, error);
      if (fault === 'refused') {
        log.log('warning', `${host} refuses to renew the sign-in, which is kept.`);
        return { next: grant, isRefused: true };
      }
      if (fault !== 'passing') {
        log.log('warning', `${host} no longer accepts the sign-in (${fault === 'gone' ? 'the grant' : 'the client'}).`);
        return { next: spent(grant), isClientGone: fault === 'client-gone' };
      }
      const pauseMs = RENEWAL_PAUSES_MS[attempt];
      if (pauseMs === undefined || signal.aborted)
        throw new ConnectError('unreachable', say`${host} can't renew the sign-in now: ${reasonOf(error)}`, {
          remedy: say`The sign-in is kept. Try again later, or use the command “MCP Switchboard: Sign In as…”.`,
          cause: error,
        });
      await delay(pauseMs, clock);
    }
  }
}

/**
 * New tokens, for the scopes that were granted. They aren't named: some servers refuse that (Salesforce). Where it is refused
 * without, or less is granted so, they are: Entra needs it where the client is the resource, too. What is refused still is asked for
 * without the resource, which the authorization server knows by the grant (RFC 8707, section 2.2).
 */
async function refreshed(
  { sdk, clock, serverUrl, fetch }: RenewalOptions,
  { issuer, scopes }: Grant,
  via: OAuthVia,
  refreshToken: string,
  signal: AbortSignal,
): Promise<GrantTokens> {
  const dpop = via.dpopKey ? await dpopSession(sdk, via.dpopKey) : undefined;
  const request = async (token: string, scope?: string, resource = via.resource): Promise<GrantTokens> => {
    const tokens = await sdk.refreshAuthorization(issuer, {
      ...(via.metadata ? { metadata: via.metadata } : {}),
      clientInformation: via.client,
      refreshToken: token,
      ...(scope === undefined ? {} : { scope }),
      ...(resource ? { resource } : {}),
      ...(dpop ? { dpop } : {}),
      fetchFn: authFetch({ inner: fetch, serverUrl, signal }),
    });
    return keptTokens({ ...tokens, issuer }, new URL(issuer).host, clock);
  };
  const all = scopes.join(' ');
  let tokens: GrantTokens;
  try {
    tokens = await request(refreshToken);
  } catch (error) {
    if (!isOfParameters(sdk, error)) throw error;
    const others = [
      ...(all === '' ? [] : [() => request(refreshToken, all)]),
      ...(via.resource === undefined ? [] : [() => request(refreshToken, undefined, '')]),
    ];
    // Why it is refused at all is what it is refused for first.
    for (const other of others) {
      const granted = await other().catch(() => undefined);
      if (granted) return granted;
    }
    throw error;
  }
  const granted = new Set(tokens.scope?.split(/[\s,]+/));
  if (tokens.scope === undefined || scopes.every((each) => OF_PERSON.has(each) || granted.has(each))) return tokens;
  return request(tokens.refresh_token ?? refreshToken, all).catch(() => tokens);
}

/** Scopes that say who signed in, and for how long: no tool needs them (OpenID Connect Core, sections 5.4 and 11). */
const OF_PERSON: ReadonlySet<string> = new Set(['openid', 'profile', 'email', 'offline_access']);

/** In a few words, and none of the answer. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'OAuthError') return say`it answered with an error.`;
  return isUnreadable(error) ? say`its answer can’t be read.` : say`${messageOf(error)}.`;
}
