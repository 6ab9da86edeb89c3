import { messageOf } from '../../../base/errors.ts';
import type { Logger } from '../../../base/log.ts';
import { authFetch } from '../requests/authFetch.ts';
import type { FetchLike } from '@modelcontextprotocol/client';
import { errorText } from '../../remote/answers/limitedBody.ts';
import type { Grant } from './accountGrants.ts';

type Sdk = typeof import('../../protocol/sdk.ts');

/**
 * Revokes the tokens of a grant (RFC 7009). The refresh token first: with it, most authorization servers revoke all.
 * @returns whether the authorization server says so; `false` where it can't revoke
 */
async function revoke(sdk: Sdk, { via }: Grant, fetch: FetchLike): Promise<boolean> {
  if (via.kind !== 'oauth' || !via.tokens) return false;
  const { metadata, client, tokens } = via;
  const endpoint = metadata && 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined;
  if (typeof endpoint !== 'string') return false;
  const methods = metadata?.token_endpoint_auth_methods_supported ?? [];
  const ofTokens: readonly (readonly [hint: string, token: string | undefined])[] = [
    ['refresh_token', tokens.refresh_token],
    ['access_token', tokens.access_token],
  ];
  let isRevoked = true;
  for (const [hint, token] of ofTokens) {
    if (token === undefined) continue;
    const body = new URLSearchParams({ token, token_type_hint: hint });
    const headers = new Headers({ accept: 'application/json' });
    authenticate(sdk.selectClientAuthMethod(client, methods), client, headers, body);
    const response = await fetch(endpoint, { method: 'POST', headers, body });
    await errorText(response);
    isRevoked &&= response.ok;
  }
  return isRevoked;
}

/** RFC 6749, section 2.3.1, and section 3.2.1 for public clients. */
function authenticate(
  method: string,
  { client_id: id, client_secret: secret }: { readonly client_id: string; readonly client_secret?: string | undefined },
  headers: Headers,
  body: URLSearchParams,
): void {
  if (method === 'client_secret_basic' && secret !== undefined) {
    headers.set('authorization', `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`);
    return;
  }
  body.set('client_id', id);
  if (method === 'client_secret_post' && secret !== undefined) body.set('client_secret', secret);
}

/** Revokes what is forgotten anyway: where that fails, the log says so. @returns as `revoke` does */
export async function revokeKept(
  sdk: Sdk,
  grant: Grant,
  { fetch, log }: { readonly fetch: typeof globalThis.fetch; readonly log: Logger },
  signal: AbortSignal,
): Promise<boolean> {
  const { host } = new URL(grant.issuer);
  try {
    const guarded = authFetch({ inner: fetch, serverUrl: new URL(grant.serverUrl), signal });
    const isRevoked = await revoke(sdk, grant, guarded);
    if (!isRevoked && grant.via.kind === 'oauth') log.log('info', `${host} doesn’t revoke tokens. They are forgotten.`);
    return isRevoked;
  } catch (error) {
    log.log('warning', `The sign-in at ${host} was forgotten, but couldn’t be revoked: ${messageOf(error)}`);
    return false;
  }
}
