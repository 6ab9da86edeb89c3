import type { SwitchboardError } from '../../../base/errors.ts';
import { ConnectError } from '../../connectionFailure.ts';
import { ending } from './answerText.ts';
import { PROXY_REMEDY } from '../networkFault.ts';
import { say } from '../../../base/say.ts';

/** The same error as one of a connection. */
export function asConnectError(error: SwitchboardError): ConnectError {
  const { code, message, remedy } = error;
  return new ConnectError(code, message, { ...(remedy === undefined ? {} : { remedy }), cause: error });
}

/** A proxy answered, and not the server. */
export function proxyAnswered(host: string, status: number, title: string | undefined, cause: unknown): ConnectError {
  const shown = title === undefined ? '' : `, “${title}”`;
  return new ConnectError('http-status', say`A proxy answered in the place of ${host} (HTTP ${status}${shown}).`, {
    remedy: PROXY_REMEDY,
    cause,
    status,
  });
}

/** Names where a redirect leads, without what may be secret in it. */
export function redirectRemedy(from: URL, location: string | undefined): string | undefined {
  if (location === undefined || !URL.canParse(location, from.href)) return undefined;
  const { origin, pathname, host, protocol } = new URL(location, from);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  if (/\b(?:log-?in|sign-?in|sso|oauth|auth|saml)\b/i.test(`${host} ${pathname}`))
    return say`It redirects to a sign-in page (${origin}${pathname}): the URL needs a sign-in, or isn't the MCP endpoint.`;
  return say`It redirects to ${origin}${pathname}, which is not followed. Use that address as the URL if you trust it.`;
}

/** A web page that wants a person to sign in came in the place of an answer. */
export function signInPage(host: string, status: number, title: string | undefined, cause: unknown): ConnectError {
  const shown = title === undefined ? '' : `, “${title}”`;
  return new ConnectError('needs-auth', say`${host} answered with a sign-in page${shown}.`, {
    remedy: say`Sign in, correct the headers in the server's definition, or use the MCP endpoint as its URL: a page is for a browser.`,
    cause,
    status,
  });
}
/**
 * Who authorizes the requests: an account that signed in or could; the definition, which sets `Authorization`; or nobody.
 */
export type AuthorizedBy = 'account' | 'definition' | undefined;

const REMEDIES = {
  account: say`Sign in.`,
  definition: say`Correct the Authorization header in its definition, or remove it to sign in.`,
  nobody: say`Sign in, or correct the headers in the server's definition.`,
} as const;

/** 401 and 403: the user must sign in or correct a header. */
export function needsAuth(
  host: string,
  status: number,
  cause: unknown,
  said?: string,
  by?: AuthorizedBy,
): ConnectError {
  const wants =
    by === 'definition' ? say`refuses the Authorization header (HTTP 401)` : say`requires a sign-in (HTTP 401)`;
  const what = status === 403 ? say`denies access (HTTP 403)` : wants;
  const message = `${host} ${what}${ending(said)}`;
  return new ConnectError('needs-auth', message, {
    remedy: REMEDIES[by ?? 'nobody'],
    cause,
    status,
    canSignIn: by === 'account',
  });
}
