import type { FetchLike, StoredOAuthTokens } from '@modelcontextprotocol/client';
import { oneLine } from '../../../base/text/showInvisible.ts';
import { isRecord } from '../../../base/json/json.ts';
import type { Mask } from '../../../base/text/secrets.ts';
import { maskOf } from '../grants/accountGrants.ts';

/** Who signed in, as the authorization server says it. */
export interface KnownAccount {
  readonly subject?: string;
  readonly label?: string;
}

const MAX_LABEL_CHARS = 100;
/** Names that tell two accounts of one person apart come first. */
const NAMES = ['preferred_username', 'email', 'upn', 'login', 'nickname', 'name'] as const;

/**
 * Who signed in: from the id token, which came from the token endpoint itself (OpenID Connect Core, section 3.1.3.7: then
 * its signature needs no check), else from the userinfo. Nothing depends on it but what the account is called, and which
 * sign-ins count as the same account.
 */
export async function accountIn(
  tokens: StoredOAuthTokens,
  expected: { readonly issuer: string; readonly clientId: string },
  userinfo: { readonly url: string | undefined; readonly fetch: FetchLike },
): Promise<KnownAccount> {
  const claims = claimsIn(tokens.id_token);
  const isOwn = claims?.['iss'] === expected.issuer && [claims['aud']].flat().includes(expected.clientId);
  const mask = maskOf(tokens);
  const told = isOwn ? knownIn(claims, mask) : {};
  if (told.label !== undefined || userinfo.url === undefined || !tokens.scope?.split(' ').includes('openid'))
    return told;
  try {
    const response = await userinfo.fetch(userinfo.url, {
      headers: { authorization: `Bearer ${tokens.access_token}`, accept: 'application/json' },
    });
    const value: unknown = response.ok ? await response.json() : undefined;
    const known = isRecord(value) ? knownIn(value, mask) : {};
    // OpenID Connect Core, section 5.3.2.
    return told.subject === undefined || told.subject === known.subject ? { ...known, ...told } : told;
  } catch {
    return told;
  }
}

function knownIn(claims: Readonly<Record<string, unknown>>, mask: Mask): KnownAccount {
  const subject = claims['sub'];
  const label = NAMES.map((name) => claims[name]).find((value) => typeof value === 'string' && value.trim() !== '');
  return {
    ...(typeof subject === 'string' ? { subject } : {}),
    ...(typeof label === 'string' ? { label: accountLabel(mask(label)) } : {}),
  };
}

/** A name as it is shown: on one line, and not long. */
export function accountLabel(name: string): string {
  return oneLine(name.trim().slice(0, MAX_LABEL_CHARS));
}

function claimsIn(token: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
