import { createHash, webcrypto } from 'node:crypto';
import type { DpopSession, StoredOAuthTokens } from '@modelcontextprotocol/client';

type Sdk = typeof import('../../protocol/sdk.ts');

/** A key that tokens are bound to (RFC 9449), as it is kept with them: private, and for ES256. */
export type DpopKey = webcrypto.JsonWebKey;

const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** A new key, which may be kept. */
export async function newDpopKey(sdk: Sdk): Promise<{ readonly key: DpopKey; readonly session: DpopSession }> {
  const keyPair = await sdk.generateDpopKeyPair({ extractable: true });
  const key = await webcrypto.subtle.exportKey('jwk', keyPair.privateKey);
  return { key, session: await sdk.DpopSession.create({ keyPair }) };
}

/** What signs with a key that was kept. */
export async function dpopSession(
  sdk: Sdk,
  { kty = 'EC', crv = 'P-256', x = '', y = '', d = '' }: DpopKey,
): Promise<DpopSession> {
  const publicJwk = { kty, crv, x, y };
  const [privateKey, publicKey] = await Promise.all([
    webcrypto.subtle.importKey('jwk', { ...publicJwk, d }, CURVE, false, ['sign']),
    webcrypto.subtle.importKey('jwk', publicJwk, CURVE, true, ['verify']),
  ]);
  // RFC 7638, section 3: the members in this order, without blanks.
  const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  return sdk.DpopSession.create({ keyPair: { privateKey, publicKey, publicJwk, thumbprint, alg: 'ES256' } });
}

/** Whether the authorization server bound the tokens to the key (RFC 9449, section 5). */
export function isBound({ token_type: type }: Pick<StoredOAuthTokens, 'token_type'>): boolean {
  return type.toLowerCase() === 'dpop';
}
