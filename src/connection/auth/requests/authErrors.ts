import { SwitchboardError } from '../../../base/errors.ts';
import { oneLine } from '../../../base/text/showInvisible.ts';
import { ConnectError } from '../../connectionFailure.ts';
import { RefusedAddress } from './addressGuard.ts';
import { isPassing, NoAnswer, notNow } from './noAnswer.ts';
import { say } from '../../../base/say.ts';

type Sdk = typeof import('../../protocol/sdk.ts');

const MAX_SAID_CHARS = 300;

/** What a failed token request means for the grant. */
export type TokenFault =
  /** The authorization server took it back: only a person can get another. */
  | 'gone'
  /** The client is no longer registered. */
  | 'client-gone'
  /** The same request would be refused again, and why isn't said. */
  | 'refused'
  /** It says nothing of the grant, and may work the next time. */
  | 'passing';

/** Codes by which the grant is gone: of RFC 6749, section 5.2, and RFC 8707; of GitHub; of Slack. */
const GONE: ReadonlySet<string> = new Set([
  ...['invalid_grant', 'invalid_scope', 'invalid_target'],
  'bad_refresh_token',
  ...['invalid_refresh_token', 'token_expired', 'token_revoked'],
]);
/** Codes by which the client is, of the same. */
const CLIENT_GONE: ReadonlySet<string> = new Set([
  ...['invalid_client', 'unauthorized_client'],
  'incorrect_client_credentials',
  ...['invalid_client_id', 'bad_client_secret'],
]);

/** Judges by codes, never by a text. Pure. */
export function tokenFault(sdk: Sdk, error: unknown): TokenFault {
  if (!(error instanceof sdk.OAuthError)) return 'passing';
  if (GONE.has(error.code)) return 'gone';
  if (CLIENT_GONE.has(error.code)) return 'client-gone';
  return SAME_AGAIN.has(error.code) ? 'refused' : 'passing';
}

/**
 * Codes by which the same request is refused again, whatever the grant and the client are worth: of RFC 6749, section 5.2.
 * Servers say `invalid_request` of a grant that is gone, too.
 */
const SAME_AGAIN: ReadonlySet<string> = new Set(['unsupported_grant_type', 'invalid_request']);

/** Whether a refused renewal may be granted where the scopes are named, or the resource isn't. Pure. */
export function isOfParameters(sdk: Sdk, error: unknown): boolean {
  return error instanceof sdk.OAuthError && /^invalid_(?:request|scope|target|resource)$/.test(error.code);
}

/** Whether asking again would be refused again: an explained failure that doesn't pass by itself. Pure. */
export function isFinalRefusal(sdk: Sdk, error: unknown): boolean {
  if (!(error instanceof SwitchboardError) || error.code !== 'denied') return false;
  const { cause } = error;
  if (!(cause instanceof sdk.OAuthError)) return true;
  return tokenFault(sdk, cause) !== 'passing';
}

/**
 * A failed sign-in as an error for a person: what an authorization server says is shown on one line and cut.
 * @param host of the authorization server, or of the server where that isn't known yet
 */
export function explainSignIn(sdk: Sdk, error: unknown, host: string): SwitchboardError {
  if (error instanceof SwitchboardError) return error;
  if (error instanceof RefusedAddress)
    return new SwitchboardError('denied', say`Signing in is refused: ${error.message}.`, {
      remedy: say`Ask the owner of ${host} for the right address.`,
      cause: error,
    });
  if (error instanceof sdk.IssuerMismatchError || error instanceof sdk.AuthorizationServerMismatchError)
    return new SwitchboardError(
      'denied',
      error instanceof sdk.IssuerMismatchError && error.kind === 'metadata'
        ? say`The metadata of the authorization server isn't its own, as ${host} refers to it.`
        : say`The answer came from another authorization server than the one that was asked.`,
      { remedy: say`Nothing was granted. If it happens again, ask the owner of the server.`, cause: error },
    );
  if (error instanceof sdk.InsecureTokenEndpointError)
    return new SwitchboardError('denied', say`The authorization server wants tokens requested without encryption.`, {
      remedy: say`Ask its owner for an address with https.`,
      cause: error,
    });
  const absent =
    error instanceof sdk.RegistrationRejectedError && isPassing(error.status) ? notNow(host, error.status) : error;
  if (absent instanceof NoAnswer)
    return new ConnectError('unreachable', say`${absent.message}.`, { remedy: say`Try again later.`, cause: error });
  if (error instanceof sdk.RegistrationRejectedError)
    return new SwitchboardError('denied', say`${host} refused to register this client (HTTP ${error.status}).`, {
      remedy: say`Register a client there, and enter its id.`,
      cause: error,
    });
  if (error instanceof sdk.OAuthError) return explainOAuth(error, host);
  if (isUnreadable(error))
    return new SwitchboardError('unsupported', say`Signing in at ${host} isn't possible: its answer can't be read.`);
  const said = error instanceof Error ? error.message : String(error);
  return new SwitchboardError('unsupported', say`Signing in at ${host} isn't possible: ${shownReason(said)}`, {
    cause: error,
  });
}

/** An answer in another form than expected: such an error quotes it, and there may be tokens in it. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof SyntaxError || (error instanceof Error && error.name === 'ZodError');
}

/** RFC 6749, section 4.1.2.1: the person or the authorization server said no. Which of them isn't known. */
const ACCESS_DENIED = 'access_denied';

/** Whether a sign-in ended because the person, in the browser, or the authorization server said no. Pure. */
export function isSaidNo({ code, cause }: SwitchboardError): boolean {
  return code === 'denied' && cause instanceof Error && 'code' in cause && cause.code === ACCESS_DENIED;
}

function explainOAuth(error: Error & { readonly code: string }, host: string): SwitchboardError {
  const code = /^[\w.-]{1,60}$/.test(error.code) ? error.code : say`an error`;
  if (code === ACCESS_DENIED)
    return new SwitchboardError('denied', say`The sign-in was cancelled, or refused by ${host}.`, {
      cause: error,
    });
  const said = error.message === '' || error.message === error.code ? '' : `: ${shownReason(error.message)}`;
  return new SwitchboardError('denied', say`${host} refused the sign-in (${code})${said || '.'}`, { cause: error });
}

/** What a server says, on one line and cut. */
export function shownReason(said: string): string {
  const line = oneLine(said.slice(0, MAX_SAID_CHARS).replaceAll(/\s+/g, ' ').trim());
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}
