import type { OAuthClientMetadata } from '@modelcontextprotocol/client';

/** How this client calls itself where a person sees it: on the pages of authorization servers. */
export const CLIENT_NAME = 'MCP Switchboard';

/**
 * Where the document of this client is published, which is its client id then; `undefined`: nowhere yet, so that it registers
 * with each authorization server. docs/sign-in.md says what to publish, and `npm run -s client-document` prints it.
 */
export const CLIENT_DOCUMENT_URL: string | undefined = undefined;

/** The answers that a browser of this machine brings back, on whichever port (RFC 8252, section 7.3). */
const REDIRECT_URIS = ['http://127.0.0.1/callback', 'http://localhost/callback'];

/** What a registration and the document say of this client. */
export function clientMetadata(clientName: string, redirectUris: string[], tokenMethod: string): OAuthClientMetadata {
  return {
    client_name: clientName,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: tokenMethod,
  };
}

/**
 * The document that describes this client (OAuth Client ID Metadata Document), for the address that it is published at.
 * @throws TypeError where that can't be a client id
 */
export function clientDocument(url: string): OAuthClientMetadata & { readonly client_id: string } {
  const { protocol, pathname, hash, username, password } = new URL(url);
  if (protocol !== 'https:' || pathname === '/' || hash !== '' || username !== '' || password !== '')
    throw new TypeError('The address must begin with https, have a path, and have no # and no user in it.');
  return { client_id: url, application_type: 'native', ...clientMetadata(CLIENT_NAME, REDIRECT_URIS, 'none') };
}
