import type { FetchLike, OAuthClientProvider } from '@modelcontextprotocol/client';
import type { Clock } from '../../../base/clock.ts';
import { SwitchboardError } from '../../../base/errors.ts';
import type { OAuthOptions } from '../../../config/configTypes.ts';
import { explainSignIn } from '../requests/authErrors.ts';
import type { Challenge } from '../requests/authorization.ts';
import { discover } from '../flow/discovery.ts';
import type { GrantTokens } from './accountGrants.ts';
import { expiry } from '../requests/serverAuthorization.ts';

type Sdk = typeof import('../../protocol/sdk.ts');

export interface MachineGrantOptions {
  readonly sdk: Sdk;
  readonly oauth: OAuthOptions;
  readonly serverUrl: URL;
  readonly clock: Clock;
  readonly fetch: FetchLike;
}

/**
 * Gets tokens that need no person: the client's own (RFC 6749, section 4.4), with a secret or a signature (RFC 7523).
 * `undefined` where the definition asks for none of it.
 */
export function machineTokens(
  options: MachineGrantOptions,
): ((challenge: Challenge) => Promise<GrantTokens>) | undefined {
  const { sdk, oauth, serverUrl, clock, fetch } = options;
  if (oauth.grant !== 'client_credentials') return undefined;
  return async (challenge) => {
    try {
      const discovery = await discover({ ...options, challenge });
      const issuer = discovery.authorizationServerMetadata?.issuer ?? discovery.authorizationServerUrl;
      const provider = providerFor(sdk, oauth, issuer);
      const scope = oauth.scopes?.join(' ') ?? challenge.scope;
      const known: OAuthClientProvider = Object.assign(provider, { discoveryState: () => discovery });
      await sdk.auth(known, { serverUrl, fetchFn: fetch, ...(scope === undefined ? {} : { scope }) });
      const tokens = provider.tokens();
      if (!tokens) throw new SwitchboardError('denied', `${new URL(issuer).host} granted nothing.`);
      return { ...tokens, ...expiry(tokens, clock) };
    } catch (error) {
      throw explainSignIn(sdk, error, serverUrl.host);
    }
  };
}

function providerFor(
  sdk: Sdk,
  { clientId, clientSecret, privateKey, algorithm }: OAuthOptions,
  expectedIssuer: string,
): InstanceType<Sdk['ClientCredentialsProvider']> | InstanceType<Sdk['PrivateKeyJwtProvider']> {
  if (clientId !== undefined && privateKey !== undefined)
    return new sdk.PrivateKeyJwtProvider({ clientId, privateKey, algorithm: algorithm ?? 'ES256', expectedIssuer });
  if (clientId !== undefined && clientSecret !== undefined)
    return new sdk.ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer });
  throw new SwitchboardError('unsupported', 'Client credentials need `clientId`, and `clientSecret` or `privateKey`.', {
    remedy: 'Add them to `oauth` in the definition.',
  });
}
