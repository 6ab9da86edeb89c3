import type { OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { SwitchboardError } from '../../../base/errors.ts';
import { type Grant, grantedScopes, maskOf, type Registration, scopesIn } from '../grants/accountGrants.ts';
import { isConfidential } from '../requests/addressRules.ts';
import { keptTokens } from '../requests/bearer.ts';
import { isBound, newDpopKey } from '../requests/dpopKey.ts';
import type { RedirectAnswer, SignInReason } from '../signInPorts.ts';
import { accountIn } from './accountName.ts';
import { cancelled, isSameState, newState, openRedirect } from './flowRedirect.ts';
import { FlowProvider, FlowRefused } from './flowProvider.ts';
import type { FlowOptions } from './flowTypes.ts';
import { resourceOf } from './writtenResource.ts';
import { documentOf, isRegisteredFor, registrationOf } from './oauthClient.ts';
import { say } from '../../../base/say.ts';

/** Longer addresses aren't opened: servers needn't take them (RFC 9110, section 4.1), nor systems pass them on. */
const MAX_PAGE_CHARS = 16_000;

/** One page in the browser: asks, opens it, waits for the answer, trades that for tokens and keeps them. The page says how it ended. */
export async function signInWithBrowser(
  options: FlowOptions,
  issuer: string,
  discovery: OAuthDiscoveryState,
  known: Registration | undefined,
): Promise<Grant> {
  const { sdk, ports, server, serverUrl, oauth, clock, signal } = options;
  const metadata = discovery.authorizationServerMetadata;
  const state = newState();
  const redirect = await openRedirect(options, state, known);
  try {
    const document = documentOf(options, issuer, metadata, redirect.redirectUri);
    const scope = options.scope ?? oauth.scopes?.join(' ') ?? options.challenge.scope;
    const isUsable =
      !known?.redirectUri ||
      known.isGiven ||
      (isRegisteredFor(known, redirect.redirectUri, { scope, document, now: clock.now() }) &&
        !options.unanswered.has(issuer));
    const dpop = oauth.dpop ? await newDpopKey(sdk) : undefined;
    const provider = new FlowProvider({
      redirectUri: redirect.redirectUri,
      state,
      discovery,
      clientName: options.clientName,
      scope: oauth.scopes?.join(' '),
      clientMetadataUrl: document,
      client: isUsable ? known?.client : undefined,
      resourceFor: resourceOf(sdk, oauth.resource),
      dpop: dpop?.session,
      onRegistered: (client) => options.onRegistered(issuer, registrationOf(client, redirect.redirectUri)),
    });
    await sdk.auth(provider, {
      serverUrl,
      fetchFn: options.fetch,
      forceReauthorization: true,
      ...(scope === undefined ? {} : { scope }),
    });
    const page = provider.authorizationUrl;
    if (!page) throw new SwitchboardError('unsupported', say`The authorization server gives no page to sign in at.`);
    if (!isConfidential(page))
      throw new SwitchboardError('denied', say`The page to sign in at is not a web page with encryption.`, {
        remedy: say`Ask the owner of ${new URL(issuer).host}.`,
      });
    if (page.href.length > MAX_PAGE_CHARS)
      throw new SwitchboardError('denied', say`The page to sign in at has an address that no browser has to take.`, {
        remedy: say`Set \`scopes\` in \`oauth\` to what you need, if the server lists too many.`,
      });
    // The browser is on this machine, too.
    await options.guard(page);
    if (options.asSomebodyElse) page.searchParams.set('prompt', promptForAnother(page, metadata));
    const asked = scopesIn(page.searchParams.get('scope') ?? undefined);
    const isAgreed = await ports.confirmAndOpen(
      {
        server,
        reason: reasonFor(options, issuer),
        resource: serverUrl.href,
        issuer,
        pageHost: page.host,
        scopes: asked,
        ...(options.previous ? { account: options.previous.label } : {}),
        url: page.href,
      },
      signal,
    );
    if (!isAgreed || signal.aborted) throw cancelled();
    options.unanswered.add(issuer);
    const answer = await redirect.answer(signal);
    options.unanswered.delete(issuer);
    return await traded(answer, async () => {
      if (!isSameState(answer.params.get('state'), state))
        throw new SwitchboardError('denied', say`The answer belongs to another sign-in.`);
      await finish(options, issuer, provider, answer.params);
      const { granted, client } = provider;
      if (!granted || !client) throw new SwitchboardError('denied', say`The authorization server granted nothing.`);
      const { fetch } = options;
      const told = metadata && 'userinfo_endpoint' in metadata ? metadata.userinfo_endpoint : undefined;
      const url = typeof told === 'string' ? told : undefined;
      const account = await accountIn(granted, { issuer, clientId: client.client_id }, { url, fetch });
      const tokens = keptTokens(granted, new URL(issuer).host, clock);
      const resource = provider.grantedResource;
      const grant = await options.keep({
        issuer,
        // Without `scope`, what was asked for is granted (RFC 6749, section 5.1).
        scopes: granted.scope === undefined ? asked : grantedScopes(granted.scope, maskOf(granted)),
        account,
        via: {
          kind: 'oauth',
          client,
          tokens,
          ...(metadata ? { metadata } : {}),
          ...(resource === undefined ? {} : { resource }),
          ...(dpop && isBound(tokens) ? { dpopKey: dpop.key } : {}),
        },
      });
      answer.finish({ ok: true, account: grant.label });
      return grant;
    });
  } finally {
    redirect.dispose();
  }
}

/** Whatever happens after an answer has come, its page says how it ended. */
async function traded<T>(answer: RedirectAnswer, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    answer.finish({ ok: false, message: say`Signing in failed.` });
    throw error;
  }
}

/** Trades the answer for tokens; the SDK checks `iss` before it reads anything else of it. */
async function finish(
  { sdk, serverUrl, unanswered, fetch }: FlowOptions,
  issuer: string,
  provider: FlowProvider,
  params: URLSearchParams,
): Promise<void> {
  // An answer that refuses has no code (RFC 6749, section 4.1.2.1).
  if (params.has('error')) params.delete('code');
  const transport = new sdk.StreamableHTTPClientTransport(serverUrl, { authProvider: provider, fetch });
  try {
    await transport.finishAuth(params);
  } catch (error) {
    const isOfClient = error instanceof sdk.OAuthError && /^(?:invalid|unauthorized)_client$/.test(error.code);
    if (isOfClient || error instanceof FlowRefused) unanswered.add(issuer);
    if (error instanceof FlowRefused)
      throw new SwitchboardError('denied', error.message, { remedy: say`Sign in again.` });
    throw error;
  }
}

function reasonFor({ previous, scope }: FlowOptions, issuer: string): SignInReason {
  if (!previous) return { kind: 'sign-in' };
  if (previous.issuer !== issuer) return { kind: 'other-issuer', previousIssuer: previous.issuer };
  return scope === undefined ? { kind: 'expired' } : { kind: 'more-scopes', granted: previous.scopes };
}

/** Has the authorization server ask who signs in (OpenID Connect Core, section 3.1.2.1), with what it asks for already. */
function promptForAnother(page: URL, metadata: OAuthDiscoveryState['authorizationServerMetadata']): string {
  const supported: unknown = metadata && 'prompt_values_supported' in metadata && metadata['prompt_values_supported'];
  const another = Array.isArray(supported) && supported.includes('select_account') ? 'select_account' : 'login';
  return [another, page.searchParams.get('prompt')].filter(Boolean).join(' ');
}
