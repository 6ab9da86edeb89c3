import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { FetchLike, OAuthDiscoveryState, StoredOAuthClientInformation } from '@modelcontextprotocol/client';
import type { Clock } from '../../../base/clock.ts';
import { SwitchboardError } from '../../../base/errors.ts';
import type { OAuthOptions } from '../../../config/configTypes.ts';
import type { AskingServer } from '../../connectionTypes.ts';
import { accountIn, type KnownAccount } from './accountName.ts';
import { isConfidential } from '../requests/addressRules.ts';
import { explainSignIn } from '../requests/authErrors.ts';
import type { Challenge } from '../requests/authorization.ts';
import { discover } from './discovery.ts';
import { FlowProvider, FlowRefused } from './flowProvider.ts';
import { type Grant, grantedScopes, maskOf, type Registration, scopesIn } from '../grants/accountGrants.ts';
import { keptTokens } from '../requests/bearer.ts';
import { isBound, newDpopKey } from '../requests/dpopKey.ts';
import type { Redirect, RedirectAnswer, SignInPorts, SignInReason } from '../signInPorts.ts';

type Sdk = typeof import('../../protocol/sdk.ts');

export interface FlowOptions {
  readonly sdk: Sdk;
  readonly ports: SignInPorts;
  readonly server: AskingServer;
  readonly serverUrl: URL;
  readonly oauth: OAuthOptions;
  readonly challenge: Challenge;
  /** Scopes to ask for, in place of what the server says. */
  readonly scope?: string;
  /** The grant of the account that signs in again. */
  readonly previous: Grant | undefined;
  /** The browser may be signed in there as a person who has an account here already: that one isn't meant. */
  readonly asSomebodyElse: boolean;
  readonly registrations: Readonly<Record<string, Registration>>;
  readonly onRegistered: (issuer: string, registration: Registration) => Promise<void>;
  /**
   * Issuers whose page was opened and never came back: it may not know the client any more. Then this client is registered
   * anew. Changed by the flow.
   */
  readonly unanswered: Set<string>;
  readonly clientName: string;
  readonly fetch: FetchLike;
  /** Rejects where the browser isn't led to. */
  readonly guard: (url: URL) => Promise<void>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** What a sign-in came to. */
export interface SignedIn {
  readonly issuer: string;
  readonly scopes: readonly string[];
  readonly account: KnownAccount;
  readonly via: Grant['via'];
  /** Tells the browser's page how it ended; nothing where there was none. */
  finish(account: string): void;
}

/**
 * Signs a person in: finds the authorization server, offers an account of the editor, registers this client where it isn't,
 * asks, opens the browser and trades the answer for tokens.
 * @throws SwitchboardError see `SignIns.signIn`
 */
export async function signInFlow(options: FlowOptions): Promise<SignedIn> {
  const { sdk, serverUrl, signal } = options;
  let host = serverUrl.host;
  try {
    const discovery = await discover(options);
    const issuer = discovery.authorizationServerMetadata?.issuer ?? discovery.authorizationServerUrl;
    host = new URL(issuer).host;
    return (await ofEditor(options, issuer, discovery)) ?? (await inBrowser(options, issuer, discovery));
  } catch (error) {
    if (signal.aborted && !(error instanceof SwitchboardError)) throw cancelled();
    throw explainSignIn(sdk, error, host);
  }
}

function cancelled(): SwitchboardError {
  return new SwitchboardError('call-cancelled', 'The sign-in was cancelled.');
}

/** An account that the editor has itself: no browser at all. */
async function ofEditor(
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
  return { issuer, scopes, account: { subject: id, label }, via, finish: () => undefined };
}

/** Tries again without what only the metadata asks for, and with a client that the person gives. */
async function inBrowser(options: FlowOptions, issuer: string, discovery: OAuthDiscoveryState): Promise<SignedIn> {
  const { sdk } = options;
  const lesser = withFewerScopes(options, discovery);
  let given = await clientFor(options, issuer, discovery);
  let known = given ?? registeredAt(options, issuer);
  for (let current = discovery; ;) {
    try {
      return await attempt(options, issuer, current, known);
    } catch (error) {
      const isRejected = error instanceof sdk.RegistrationRejectedError;
      const isOfScopes = isRejected || (error instanceof sdk.OAuthError && error.code === 'invalid_scope');
      const next = isOfScopes ? lesser[0] : undefined;
      // A client may be registered for the scopes alone that it was registered with.
      if (isOfScopes && known && !given) known = undefined;
      else if (next) {
        lesser.shift();
        current = next;
      } else if (isRejected && !given)
        given = known = await askClient(options, issuer, 'It refused to register this client.');
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

/** The client to use, in the order of the specification; `undefined`: the SDK takes a metadata document or registers one. */
async function clientFor(
  options: FlowOptions,
  issuer: string,
  { authorizationServerMetadata: metadata }: OAuthDiscoveryState,
): Promise<Registration | undefined> {
  const { oauth } = options;
  if (oauth.clientId !== undefined) {
    const secret = oauth.clientSecret === undefined ? {} : { client_secret: oauth.clientSecret };
    return { client: { client_id: oauth.clientId, ...secret, issuer } };
  }
  const known = registeredAt(options, issuer);
  if (known?.isGiven) return known;
  const takesDocument = metadata?.client_id_metadata_document_supported === true && documentOf(options) !== undefined;
  if (takesDocument || !metadata || metadata.registration_endpoint !== undefined) return undefined;
  return askClient(options, issuer, 'It registers no clients by itself.');
}

function registeredAt({ registrations }: FlowOptions, issuer: string): Registration | undefined {
  return Object.hasOwn(registrations, issuer) ? registrations[issuer] : undefined;
}

function documentOf({ oauth, ports }: FlowOptions): string | undefined {
  return oauth.clientMetadataUrl ?? ports.clientMetadataUrl?.();
}

async function askClient(options: FlowOptions, issuer: string, why: string): Promise<Registration> {
  const { ports, server, signal } = options;
  const redirect = await openRedirect(options, newState(), undefined);
  try {
    const question = { server, issuer, redirectUri: redirect.redirectUri, why };
    const given = await ports.askClient(question, signal);
    if (!given) throw cancelled();
    const secret = given.clientSecret === undefined ? {} : { client_secret: given.clientSecret };
    const registration: Registration = {
      client: { client_id: given.clientId, ...secret, issuer },
      redirectUri: redirect.redirectUri,
      isGiven: true,
    };
    await options.onRegistered(issuer, registration);
    return registration;
  } finally {
    redirect.dispose();
  }
}

/** One page in the browser. */
async function attempt(
  options: FlowOptions,
  issuer: string,
  discovery: OAuthDiscoveryState,
  known: Registration | undefined,
): Promise<SignedIn> {
  const { sdk, ports, server, serverUrl, oauth, clock, signal } = options;
  const metadata = discovery.authorizationServerMetadata;
  const state = newState();
  const redirect = await openRedirect(options, state, known);
  try {
    const scope = options.scope ?? oauth.scopes?.join(' ') ?? options.challenge.scope;
    const isUsable =
      !known?.redirectUri ||
      known.isGiven ||
      (isRegisteredFor(known, redirect.redirectUri, scope) && !options.unanswered.has(issuer));
    const dpop = oauth.dpop ? await newDpopKey(sdk) : undefined;
    const provider = new FlowProvider({
      redirectUri: redirect.redirectUri,
      state,
      discovery,
      clientName: options.clientName,
      scope: oauth.scopes?.join(' '),
      clientMetadataUrl: documentOf(options),
      client: isUsable ? known?.client : undefined,
      resource: oauth.resource,
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
    if (!page) throw new SwitchboardError('unsupported', 'The authorization server gives no page to sign in at.');
    if (!isConfidential(page))
      throw new SwitchboardError('denied', `The page to sign in at is not a web page with encryption.`, {
        remedy: `Ask the owner of ${new URL(issuer).host}.`,
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
        throw new SwitchboardError('denied', 'The answer belongs to another sign-in.');
      await finish(options, provider, answer.params);
      const { granted, client } = provider;
      if (!granted || !client) throw new SwitchboardError('denied', 'The authorization server granted nothing.');
      const { fetch } = options;
      const told = metadata && 'userinfo_endpoint' in metadata ? metadata.userinfo_endpoint : undefined;
      const url = typeof told === 'string' ? told : undefined;
      const account = await accountIn(granted, { issuer, clientId: client.client_id }, { url, fetch });
      const tokens = keptTokens(granted, new URL(issuer).host, clock);
      const resource = provider.grantedResource;
      return {
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
        finish: (label) => answer.finish({ ok: true, account: label }),
      };
    });
  } finally {
    redirect.dispose();
  }
}

/** Whatever happens after an answer has come, its page says how it ended. */
async function traded(answer: RedirectAnswer, work: () => Promise<SignedIn>): Promise<SignedIn> {
  try {
    return await work();
  } catch (error) {
    answer.finish({ ok: false, message: 'Signing in failed. The editor says why.' });
    throw error;
  }
}

/** Trades the answer for tokens; the SDK checks `iss` before it reads anything else of it. */
async function finish(
  { sdk, serverUrl, fetch }: FlowOptions,
  provider: FlowProvider,
  params: URLSearchParams,
): Promise<void> {
  const transport = new sdk.StreamableHTTPClientTransport(serverUrl, { authProvider: provider, fetch });
  try {
    await transport.finishAuth(params);
  } catch (error) {
    if (error instanceof FlowRefused) throw new SwitchboardError('denied', error.message, { remedy: 'Sign in again.' });
    throw error;
  }
}

function openRedirect(
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

/** Whether a client that was registered here is good for another sign-in; it is registered anew where it isn't. */
function isRegisteredFor({ client, redirectUri }: Registration, address: string, scope: string | undefined): boolean {
  const limit = 'scope' in client && typeof client.scope === 'string' ? scopesIn(client.scope) : undefined;
  return redirectUri === address && (!limit || scopesIn(scope).every((each) => limit.includes(each)));
}

function registrationOf(client: StoredOAuthClientInformation, redirectUri: string): Registration {
  return { client, redirectUri };
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

function newState(): string {
  return randomBytes(32).toString('base64url');
}

function isSameState(answered: string | null, expected: string): boolean {
  const [one, other] = [Buffer.from(answered ?? ''), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
