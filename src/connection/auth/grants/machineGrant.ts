import type { DpopSession, FetchLike, OAuthClientProvider } from '@modelcontextprotocol/client';
import type { Clock } from '../../../base/clock.ts';
import { SwitchboardError } from '../../../base/errors.ts';
import type { OAuthOptions } from '../../../config/oauthOptions.ts';
import { explainSignIn } from '../requests/authErrors.ts';
import type { Challenge } from '../requests/authorization.ts';
import { discover } from '../flow/discovery.ts';
import { resourceOf } from '../flow/writtenResource.ts';
import { isBound, newDpopKey } from '../requests/dpopKey.ts';
import type { AskingServer } from '../../serverQuestionTypes.ts';
import type { GrantTokens } from './accountGrants.ts';
import { AssertionProvider } from './assertionProvider.ts';
import { crossAppAccess } from './crossAppAccess.ts';
import type { GrantStore } from './grantStore.ts';
import { keptTokens } from '../requests/bearer.ts';
import { withoutRepeats } from '../requests/tokenRequest.ts';
import { say } from '../../../base/say.ts';

type Sdk = typeof import('../../protocol/sdk.ts');

export interface MachineGrantOptions {
  readonly sdk: Sdk;
  readonly oauth: OAuthOptions;
  readonly serverUrl: URL;
  readonly clock: Clock;
  readonly fetch: FetchLike;
  /** Rejects where the client isn't used at this authorization server. */
  readonly admit: (issuer: string) => Promise<void>;
}

export interface MachineTokens {
  readonly tokens: GrantTokens;
  /** They are bound to its key. */
  readonly dpop?: DpopSession;
}

/**
 * Gets tokens that need no page: the client's own (RFC 6749, section 4.4), with a secret or a signature (RFC 7523), those
 * of a person that an identity provider vouches for (enterprise-managed authorization), or those for an assertion.
 * `undefined` where the definition asks for none of it.
 */
export function machineTokens(
  options: MachineGrantOptions,
): ((challenge: Challenge) => Promise<MachineTokens>) | undefined {
  const { sdk, oauth, serverUrl, clock } = options;
  if (oauth.grant === undefined) return undefined;
  let key: Promise<DpopSession> | undefined;
  return async (challenge) => {
    const fetch = withoutRepeats(options.fetch);
    let { host } = serverUrl;
    try {
      const discovery = await discover({ ...options, challenge });
      const issuer = discovery.authorizationServerMetadata?.issuer ?? discovery.authorizationServerUrl;
      if (oauth.issuer === undefined) await options.admit(issuer);
      ({ host } = new URL(issuer));
      const provider = providerFor(sdk, oauth, issuer, fetch);
      if (oauth.dpop) key ??= newDpopKey(sdk).then(({ session }) => session);
      const dpop = await key;
      const scope = oauth.scopes?.join(' ') ?? challenge.scope;
      const known: OAuthClientProvider = Object.assign(provider, {
        discoveryState: () => discovery,
        validateResourceURL: resourceOf(sdk, oauth.resource),
        ...(dpop ? { dpop: () => dpop } : {}),
      });
      await sdk.auth(known, { serverUrl, fetchFn: fetch, ...(scope === undefined ? {} : { scope }) });
      const tokens = provider.tokens();
      if (!tokens) throw new SwitchboardError('denied', say`${host} granted nothing.`);
      const kept = keptTokens(tokens, host, clock);
      return { tokens: kept, ...(dpop && isBound(kept) ? { dpop } : {}) };
    } catch (error) {
      // Who refuses is the authorization server; who refers to a wrong address is the server.
      throw explainSignIn(sdk, error, error instanceof sdk.OAuthError ? host : serverUrl.host);
    }
  };
}

/**
 * Notes the authorization server that gets the secret of a client that no person answers for: the first one alone does.
 * @throws SwitchboardError `denied` for any other
 */
export async function admitMachine(
  store: GrantStore,
  { server, binding }: { readonly server: AskingServer; readonly binding: string },
  issuer: string,
): Promise<void> {
  const { registrations } = await store.change(binding, (kept) =>
    Object.keys(kept.registrations).length > 0
      ? kept
      : { ...kept, registrations: { [issuer]: { client: { client_id: '', issuer }, isGiven: true } } },
  );
  if (Object.hasOwn(registrations, issuer)) return;
  const [first = ''] = Object.keys(registrations);
  throw new SwitchboardError(
    'denied',
    say`${server.name} refers to ${issuer} for its tokens, and before to ${first}.`,
    {
      remedy: say`Set \`issuer\` in \`oauth\` to the right one, or use the command “Reset Registration…”.`,
    },
  );
}

function providerFor(
  sdk: Sdk,
  oauth: OAuthOptions,
  expectedIssuer: string,
  fetch: FetchLike,
):
  | InstanceType<Sdk['ClientCredentialsProvider']>
  | InstanceType<Sdk['PrivateKeyJwtProvider']>
  | InstanceType<Sdk['CrossAppAccessProvider']>
  | AssertionProvider {
  const { grant, clientId, clientSecret, privateKey, algorithm, assertion } = oauth;
  if (grant === 'jwt_bearer') {
    if (!clientId || !assertion)
      throw new SwitchboardError('unsupported', say`The JWT bearer grant needs \`clientId\` and \`assertion\`.`, {
        remedy: say`Add them to \`oauth\` in the definition.`,
      });
    return new AssertionProvider({ clientId, clientSecret, assertion, expectedIssuer });
  }
  if (grant === 'cross_app_access') return crossAppAccess(sdk, oauth, expectedIssuer, fetch);
  if (clientId !== undefined && privateKey !== undefined)
    return new sdk.PrivateKeyJwtProvider({ clientId, privateKey, algorithm: algorithm ?? 'ES256', expectedIssuer });
  if (clientId !== undefined && clientSecret !== undefined)
    return new sdk.ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer });
  throw new SwitchboardError(
    'unsupported',
    say`Client credentials need \`clientId\`, and \`clientSecret\` or \`privateKey\`.`,
    {
      remedy: say`Add them to \`oauth\` in the definition.`,
    },
  );
}
