import { say } from '../../../base/say.ts';
import type { OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { SwitchboardError } from '../../../base/errors.ts';
import { type Grant, scopesIn } from '../grants/accountGrants.ts';
import { explainSignIn } from '../requests/authErrors.ts';
import { isPassing } from '../requests/noAnswer.ts';
import { cancelled } from './flowRedirect.ts';
import { signInWithBrowser } from './browserSignIn.ts';
import { discover } from './discovery.ts';
import type { FlowOptions, SignedIn } from './flowTypes.ts';
import { askClient, clientFor, registeredAt } from './oauthClient.ts';

/**
 * Signs a person in: finds the authorization server, offers an account of the editor, registers this client where it isn't,
 * asks, opens the browser trades the answer for tokens, and keeps them.
 * @throws SwitchboardError see `SignIns.signIn`
 */
export async function signInFlow(options: FlowOptions): Promise<Grant> {
  const { sdk, serverUrl, signal } = options;
  let host = serverUrl.host;
  try {
    const { previous } = options;
    const discovery = await discover({ ...options, ...(previous ? { knownIssuer: previous.issuer } : {}) });
    const issuer = discovery.authorizationServerMetadata?.issuer ?? discovery.authorizationServerUrl;
    host = new URL(issuer).host;
    const ofEditor = await editorSignIn(options, issuer, discovery);
    return await (ofEditor ? options.keep(ofEditor) : inBrowser(options, issuer, discovery));
  } catch (error) {
    if (signal.aborted && !(error instanceof SwitchboardError)) throw cancelled();
    throw explainSignIn(sdk, error, host);
  }
}

/** An account that the editor has itself: no browser at all. */
async function editorSignIn(
  { ports, server, serverUrl, oauth, scope, challenge, signal }: FlowOptions,
  issuer: string,
  { resourceMetadata }: OAuthDiscoveryState,
): Promise<SignedIn | undefined> {
  const { editorAccounts } = ports;
  if (!editorAccounts?.has(issuer) || oauth.clientId !== undefined) return undefined;
  const wanted = scope ?? oauth.scopes?.join(' ') ?? challenge.scope ?? resourceMetadata?.scopes_supported?.join(' ');
  const scopes = scopesIn(wanted);
  const session = await editorAccounts.session(
    { server, resource: serverUrl.href, issuer, scopes, interactive: true },
    signal,
  );
  if (!session) return undefined;
  const { id, label } = session.account;
  const via = { kind: 'editor', accountId: id } as const;
  return { issuer, scopes, account: { subject: id, label }, via };
}

/** Tries again without what only the metadata asks for, and with a client that the person gives. */
async function inBrowser(options: FlowOptions, issuer: string, discovery: OAuthDiscoveryState): Promise<Grant> {
  const { sdk } = options;
  const lesser = withFewerScopes(options, discovery);
  let given = await clientFor(options, issuer, discovery);
  let known = given ?? registeredAt(options, issuer);
  for (let current = discovery; ;) {
    try {
      return await signInWithBrowser(options, issuer, current, known);
    } catch (error) {
      const isRejected = error instanceof sdk.RegistrationRejectedError && !isPassing(error.status);
      const isOfScopes = isRejected || (error instanceof sdk.OAuthError && error.code === 'invalid_scope');
      const next = isOfScopes ? lesser[0] : undefined;
      // A client may be registered for the scopes alone that it was registered with.
      if (isOfScopes && known && !given) known = undefined;
      else if (next) {
        lesser.shift();
        current = next;
      } else if (isRejected && !given)
        given = known = await askClient(options, issuer, say`It refused to register this client.`);
      else throw error;
    }
  }
}

/** What is asked with where scopes are refused, one after the other: what only metadata lists isn't needed. */
function withFewerScopes(
  { scope, oauth, challenge }: FlowOptions,
  discovery: OAuthDiscoveryState,
): OAuthDiscoveryState[] {
  const { authorizationServerMetadata: metadata, resourceMetadata } = discovery;
  const wanted = scopesIn(scope ?? oauth.scopes?.join(' ') ?? challenge.scope);
  const isOffered = metadata?.scopes_supported?.includes('offline_access') && !wanted.includes('offline_access');
  const listed = metadata?.scopes_supported?.filter((each) => each !== 'offline_access');
  const online: OAuthDiscoveryState =
    metadata && isOffered
      ? { ...discovery, authorizationServerMetadata: { ...metadata, scopes_supported: listed } }
      : discovery;
  const { scopes_supported: all, ...withoutScopes } = resourceMetadata ?? { resource: '' };
  const canDrop = wanted.length === 0 && resourceMetadata !== undefined && all !== undefined;
  return [...(isOffered ? [online] : []), ...(canDrop ? [{ ...online, resourceMetadata: withoutScopes }] : [])];
}
