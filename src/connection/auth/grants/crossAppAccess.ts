import type { FetchLike } from '@modelcontextprotocol/client';
import { SwitchboardError } from '../../../base/errors.ts';
import type { OAuthOptions } from '../../../config/oauthOptions.ts';
import { shownReason } from '../requests/authErrors.ts';
import { say } from '../../../base/say.ts';

type Sdk = typeof import('../../protocol/sdk.ts');

/**
 * Gets tokens of a person that an identity provider vouches for (enterprise-managed authorization).
 * @throws SwitchboardError `unsupported` where the definition lacks who vouches, or for whom
 */
export function crossAppAccess(
  sdk: Sdk,
  { clientId, clientSecret, idpIssuer, idpTokenUrl, idpClientId, idpClientSecret, idToken }: OAuthOptions,
  expectedIssuer: string,
  fetch: FetchLike,
): InstanceType<Sdk['CrossAppAccessProvider']> {
  if (!clientId || !clientSecret || !(idpTokenUrl ?? idpIssuer) || !idpClientId || !idToken)
    throw new SwitchboardError(
      'unsupported',
      say`Cross-app access needs two clients, and who vouches for the person.`,
      {
        remedy: say`Add \`clientId\`, \`clientSecret\`, \`idpIssuer\`, \`idpClientId\` and \`idToken\` to \`oauth\` in the definition.`,
      },
    );
  return new sdk.CrossAppAccessProvider({
    clientId,
    clientSecret,
    expectedIssuer,
    fetchFn: fetch,
    assertion: async ({ authorizationServerUrl, resourceUrl, scope, fetchFn }) =>
      vouched(fetchFn, async (watched) => {
        const request = {
          audience: authorizationServerUrl,
          resource: resourceUrl,
          idToken,
          clientId: idpClientId,
          ...(idpClientSecret === undefined ? {} : { clientSecret: idpClientSecret }),
          ...(scope === undefined ? {} : { scope }),
          fetchFn: watched,
        };
        const { jwtAuthGrant } =
          idpTokenUrl === undefined
            ? await sdk.discoverAndRequestJwtAuthGrant({ ...request, idpUrl: idpIssuer ?? '' })
            : await sdk.requestJwtAuthorizationGrant({ ...request, tokenEndpoint: idpTokenUrl });
        return jwtAuthGrant;
      }),
  });
}

/**
 * Tells a refusal of the identity provider from a failure that passes: the SDK throws the same for both.
 * @throws SwitchboardError `denied` where it refuses; everything else as it is thrown
 */
async function vouched(fetch: FetchLike, ask: (fetch: FetchLike) => Promise<string>): Promise<string> {
  let last: { readonly host: string; readonly status: number } | undefined;
  try {
    return await ask(async (input, init) => {
      last = undefined;
      const response = await fetch(input, init);
      last = { host: new URL(input).host, status: response.status };
      return response;
    });
  } catch (error) {
    if (!last || last.status < 300 || last.status >= 500 || last.status === 429) throw error;
    const said = error instanceof Error ? error.message : String(error);
    throw new SwitchboardError('denied', say`${last.host} doesn't vouch for the person: ${shownReason(said)}`, {
      cause: error,
    });
  }
}
