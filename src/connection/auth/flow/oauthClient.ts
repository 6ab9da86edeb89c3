import { say } from '../../../base/say.ts';
import type { OAuthDiscoveryState, StoredOAuthClientInformation } from '@modelcontextprotocol/client';
import { type Registration, scopesIn } from '../grants/accountGrants.ts';
import { isLoopback } from '../requests/addressRules.ts';
import { cancelled, newState, openRedirect } from './flowRedirect.ts';
import type { FlowOptions } from './flowTypes.ts';

/** The client to use, in the order of the specification; `undefined`: the SDK takes a metadata document or registers one. */
export async function clientFor(
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
  const takesDocument =
    metadata?.client_id_metadata_document_supported === true && documentOf(options, issuer, metadata) !== undefined;
  if (takesDocument || !metadata || metadata.registration_endpoint !== undefined) return undefined;
  return askClient(options, issuer, say`It registers no clients by itself.`);
}

/** The client that is registered there already. */
export function registeredAt({ registrations }: FlowOptions, issuer: string): Registration | undefined {
  return Object.hasOwn(registrations, issuer) ? registrations[issuer] : undefined;
}

/**
 * The address of the document that describes this client, which is its id then. The published one names addresses of this
 * machine alone, and an authorization server that once didn't take it gets a registration, if it has any.
 * @param redirectUri where that is known already
 */
export function documentOf(
  { oauth, ports, unanswered }: FlowOptions,
  issuer: string,
  metadata: OAuthDiscoveryState['authorizationServerMetadata'],
  redirectUri?: string,
): string | undefined {
  if (oauth.clientMetadataUrl !== undefined) return oauth.clientMetadataUrl;
  const isListed = redirectUri === undefined || isLoopback(new URL(redirectUri).hostname);
  if (metadata?.registration_endpoint !== undefined && (!isListed || unanswered.has(issuer))) return undefined;
  return ports.clientMetadataUrl?.();
}

/** Asks for a client that the person registered. */
export async function askClient(options: FlowOptions, issuer: string, why: string): Promise<Registration> {
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

/**
 * Whether a client that was registered here is good for another sign-in; it is registered anew where it isn't.
 * @param document the one that is used now
 */
export function isRegisteredFor(
  { client, redirectUri }: Registration,
  address: string,
  {
    scope,
    document,
    now,
  }: { readonly scope: string | undefined; readonly document: string | undefined; readonly now: number },
): boolean {
  const ends = 'client_secret_expires_at' in client ? Number(client.client_secret_expires_at) : 0;
  if (ends > 0 && ends * 1000 <= now) return false;
  if (URL.canParse(client.client_id) && client.client_id.startsWith('https:') && client.client_id !== document)
    return false;
  const limit = 'scope' in client && typeof client.scope === 'string' ? scopesIn(client.scope) : undefined;
  return redirectUri === address && (!limit || scopesIn(scope).every((each) => limit.includes(each)));
}

export function registrationOf(client: StoredOAuthClientInformation, redirectUri: string): Registration {
  return { client, redirectUri };
}
