import type { Challenge } from './authorization.ts';
import { isConfidential } from './addressRules.ts';

type Sdk = typeof import('../../protocol/sdk.ts');

/** Whether a token for the server may be sent there: to its origin alone, and where nobody else can read it. Pure. */
export function canBeSentTo(url: URL, serverUrl: URL): boolean {
  return url.origin === serverUrl.origin && isConfidential(url);
}

/** The request with the token, which replaces any other. */
export function withBearer(init: RequestInit | undefined, token: string): RequestInit {
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

/** What a refusal says. */
export function challengeIn(sdk: Sdk, response: Response): Challenge {
  const { resourceMetadataUrl, scope } = sdk.extractWWWAuthenticateParams(response);
  return { ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}), ...(scope === undefined ? {} : { scope }) };
}

/** Whether a definition authorizes its requests itself. */
export function hasAuthorization(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}
