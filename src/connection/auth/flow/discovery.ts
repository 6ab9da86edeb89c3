import type { AuthorizationServerMetadata, FetchLike, OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { SwitchboardError } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json/json.ts';
import type { OAuthOptions } from '../../../config/oauthOptions.ts';
import { errorText, withBody } from '../../remote/answers/limitedBody.ts';
import { requestUpgrade } from '../../remote/webSocket/requestUpgrade.ts';
import { isConfidential } from '../requests/addressRules.ts';
import type { Challenge } from '../requests/authorization.ts';
import { challengeIn } from '../requests/challenges.ts';
import { parsed } from '../requests/jsonAnswer.ts';
import { isPassing, notNow } from '../requests/noAnswer.ts';
import { say } from '../../../base/say.ts';

type Sdk = typeof import('../../protocol/sdk.ts');

/** How long a server may take to refuse a WebSocket. */
const UPGRADE_MS = 3000;
/** How long all of it may take, where every answer is slow. */
const DISCOVERY_MS = 30_000;

/** A longer name would leave no room for anything else where it is shown. */
const MAX_ISSUER_CHARS = 500;

export interface DiscoveryOptions {
  readonly sdk: Sdk;
  readonly serverUrl: URL;
  /** It is a WebSocket that the server opens. */
  readonly opensSocket?: boolean;
  readonly oauth: OAuthOptions;
  /** What the server said when it refused; empty where it wasn't asked since. */
  readonly challenge: Challenge;
  readonly fetch: FetchLike;
  /** The authorization server of the account that signs in again. */
  readonly knownIssuer?: string;
}

/**
 * Where to sign in to a server (RFC 9728, RFC 8414, OpenID Connect Discovery), within what its definition allows.
 * @throws SwitchboardError `denied` where the definition names another authorization server, or the server isn't encrypted
 */
export async function discover(given: DiscoveryOptions): Promise<OAuthDiscoveryState> {
  const { serverUrl, oauth } = given;
  const fetch = discoveryFetch(given);
  const options = { ...given, fetch };
  if (!isConfidential(serverUrl))
    throw new SwitchboardError(
      'denied',
      say`${serverUrl.host} is reached without encryption, so nobody signs in to it.`,
      {
        remedy: say`Use its address with https.`,
      },
    );
  const resourceMetadataUrl = options.challenge.resourceMetadataUrl ?? (await challengeOf(options)).resourceMetadataUrl;
  const told = await serverInfo(options, resourceMetadataUrl);
  // What the refusal refers to may be no metadata, although there is some where it is looked for otherwise.
  const found = resourceMetadataUrl && !told.resourceMetadata ? await serverInfo(options, undefined) : told;
  const metadata =
    oauth.metadataUrl === undefined ? found.authorizationServerMetadata : await metadataAt(oauth.metadataUrl, fetch);
  const state: OAuthDiscoveryState = {
    ...found,
    ...(metadata ? { authorizationServerMetadata: metadata, authorizationServerUrl: metadata.issuer } : {}),
    ...(resourceMetadataUrl ? { resourceMetadataUrl: resourceMetadataUrl.href } : {}),
  };
  const issuer = metadata?.issuer ?? state.authorizationServerUrl;
  if (!isIssuer(issuer))
    throw new SwitchboardError(
      'denied',
      say`${serverUrl.host} refers to an authorization server whose name is no issuer.`,
      {
        remedy: say`Ask the owner of ${serverUrl.host} for the right address.`,
      },
    );
  if (oauth.issuer !== undefined && trimmed(oauth.issuer) !== trimmed(issuer))
    throw new SwitchboardError(
      'denied',
      say`${serverUrl.host} refers to ${new URL(issuer).host} to sign in, and its definition allows ${oauth.issuer} alone.`,
      { remedy: say`Correct \`issuer\` in the definition if you trust the other one.` },
    );
  return state;
}

/** An issuer is the same with and without a `/` at its end: its metadata is at one address (RFC 8414, section 3.1). */
async function serverInfo(
  { sdk, serverUrl, oauth, fetch }: DiscoveryOptions,
  resourceMetadataUrl: URL | undefined,
): Promise<Awaited<ReturnType<Sdk['discoverOAuthServerInfo']>>> {
  const options = {
    fetchFn: fetch,
    ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}),
    // The definition says where the metadata is that counts.
    ...(oauth.metadataUrl === undefined ? {} : { skipIssuerMetadataValidation: true }),
  };
  try {
    return await sdk.discoverOAuthServerInfo(serverUrl, options);
  } catch (error) {
    if (!(error instanceof sdk.IssuerMismatchError) || error.kind !== 'metadata') throw error;
    const { expected, received = '' } = error;
    if (expected === undefined || trimmed(expected) !== trimmed(received)) throw error;
    const found = await sdk.discoverOAuthServerInfo(serverUrl, { ...options, skipIssuerMetadataValidation: true });
    // It was asked a second time.
    if (found.authorizationServerMetadata?.issuer !== received) throw error;
    return { ...found, authorizationServerUrl: received };
  }
}

/** Asks the server, without an account, where to sign in: it may not have been connected since the start. */
async function challengeOf({ serverUrl, opensSocket, fetch }: DiscoveryOptions): Promise<Challenge> {
  const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  try {
    const response = await (opensSocket
      ? requestUpgrade(serverUrl, {}, AbortSignal.timeout(UPGRADE_MS))
      : fetch(serverUrl, { method: 'POST', headers, body: JSON.stringify(message) }));
    if (!(response instanceof Response)) {
      // It opens one without an account.
      response.socket.destroy();
      return {};
    }
    await errorText(response);
    return response.status === 401 ? challengeIn(response) : {};
  } catch {
    return {};
  }
}

/**
 * `fetch` for metadata. What can't be had now isn't taken for not being there, all of it together has a limit in time, and of several
 * authorization servers the one comes first that the definition names, or that the account is at.
 */
function discoveryFetch({ fetch, oauth, knownIssuer }: DiscoveryOptions): FetchLike {
  const signal = AbortSignal.timeout(DISCOVERY_MS);
  const wanted = oauth.issuer ?? knownIssuer;
  return async (input, init) => {
    const response = await fetch(input, { ...init, signal });
    if (init?.method === 'POST') return response;
    if (isPassing(response.status)) throw notNow(new URL(input).host, response.status);
    if (!response.ok || wanted === undefined) return response;
    const text = await response.text();
    const body = parsed(text);
    const servers = isRecord(body) && Array.isArray(body['authorization_servers']) ? body['authorization_servers'] : [];
    const own = servers.find((each) => typeof each === 'string' && trimmed(each) === trimmed(wanted));
    if (own === undefined || !isRecord(body)) return withBody(response, text);
    return withBody(response, JSON.stringify({ ...body, authorization_servers: [own] }));
  };
}

async function metadataAt(url: string, fetch: FetchLike): Promise<AuthorizationServerMetadata> {
  const response = await fetch(url, { headers: { accept: 'application/json' } });
  const value: unknown = response.ok ? await response.json() : undefined;
  const texts = ['issuer', 'authorization_endpoint', 'token_endpoint'];
  if (!isRecord(value) || !texts.every((key) => typeof value[key] === 'string' && URL.canParse(value[key])))
    throw new SwitchboardError('denied', say`The metadata at ${new URL(url).host} isn't an authorization server's.`, {
      remedy: say`Correct \`authServerMetadataUrl\` in the definition.`,
    });
  return { response_types_supported: ['code'], ...value } as unknown as AuthorizationServerMetadata;
}

/** RFC 8414, section 2. It is shown as it is, so it has no letters that look like others, and no name that looks like a host. */
function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    text.length <= MAX_ISSUER_CHARS &&
    /^[!-~]+$/.test(text) &&
    !/[?#]/.test(text) &&
    url.username === '' &&
    url.password === ''
  );
}

function trimmed(issuer: string): string {
  return issuer.replace(/\/$/, '');
}
