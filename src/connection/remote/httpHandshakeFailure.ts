import { SwitchboardError } from '../../base/errors.ts';
import { ConnectError } from '../connectionFailure.ts';
import { LocalFault } from '../protocol/localFault.ts';
import type { SdkFault } from '../protocol/sdk.ts';
import { ending } from './answers/answerText.ts';
import {
  asConnectError,
  type AuthorizedBy,
  needsAuth,
  proxyAnswered,
  redirectRemedy,
  signInPage,
} from './answers/httpRefusals.ts';
import {
  handshakeRemedy,
  HttpStatusError,
  networkCode,
  wantsSignIn,
  type StatusTrouble,
} from './answers/httpStatus.ts';
import { explainNetwork } from './networkFault.ts';
import { say } from '../../base/say.ts';

/** What is known of a handshake over HTTP that failed. */
export interface FailedHandshake {
  readonly url: URL;
  readonly fault: SdkFault;
  readonly error: unknown;
  /** The last answer that wasn't a success. */
  readonly lastStatus: StatusTrouble | undefined;
  readonly networkError: { readonly error: unknown } | undefined;
  /** The origin that messages were to be sent to, and which is refused. */
  readonly otherOrigin: string | undefined;
  readonly authorizedBy: AuthorizedBy;
}

/** Why it failed: a sign-in, a proxy, the network, another address, or a server that isn't one of MCP. */
export async function explainHttpHandshake(failed: FailedHandshake): Promise<ConnectError> {
  const { url, fault, error, lastStatus, networkError, otherOrigin, authorizedBy } = failed;
  const { host } = url;
  const own = innerError(fault);
  if (own instanceof SwitchboardError) return own instanceof ConnectError ? own : asConnectError(own);
  const status = statusOf(fault) ?? (networkError ? undefined : lastStatus?.status);
  const answer = status !== undefined && lastStatus?.status === status ? lastStatus : undefined;
  if (answer?.page?.isProxys) return proxyAnswered(host, answer.status, answer.page.title, error);
  if (isRefused(fault)) return signInPage(host, answer?.status ?? 200, answer?.page?.title, error);
  if (fault.kind === 'unauthorized' || (status !== undefined && wantsSignIn(status))) {
    return needsAuth(host, status ?? 401, error, answer?.said, authorizedBy);
  }
  if (networkError) return explainNetwork(url, networkError.error, error);
  if (status !== undefined && status >= 300) {
    return new ConnectError('http-status', say`${host} answered with HTTP ${status}${ending(answer?.said)}`, {
      remedy: redirectRemedy(url, answer?.location) ?? handshakeRemedy(status),
      cause: error,
      status,
      retryAfterMs: answer?.retryAfterMs,
    });
  }
  if (fault.kind === 'other' && networkCode(fault.error) !== undefined) {
    return explainNetwork(url, fault.error, error);
  }
  if (otherOrigin !== undefined) {
    const message = say`${host} wants messages sent to another origin, ${otherOrigin}, which is refused.`;
    return new ConnectError('handshake-failed', message, {
      remedy: say`Have the server, or the proxy before it, name its own address; or use the other address as the URL.`,
      cause: error,
    });
  }
  if (fault.kind === 'protocol' && !(fault.data instanceof LocalFault)) {
    return new ConnectError('handshake-failed', say`${host} refused the handshake${ending(fault.message)}`, {
      cause: error,
    });
  }
  const { reason = '', said } = fault.kind === 'protocol' && fault.data instanceof LocalFault ? fault.data : {};
  const why = reason === '' ? '.' : `: ${reason}${ending(said)}`;
  return new ConnectError('handshake-failed', say`The answer of ${host} isn't MCP${why}`, {
    remedy: say`Check that the URL is the MCP endpoint and not, say, a web page.`,
    cause: error,
  });
}

/** A sign-in page came in the place of the answer. */
function isRefused(fault: SdkFault): boolean {
  return fault.kind === 'protocol' && fault.data instanceof LocalFault && fault.data.kind === 'session-refused';
}

function statusOf(fault: SdkFault): number | undefined {
  if (fault.kind === 'http') return fault.status;
  const inner = innerError(fault);
  return inner instanceof HttpStatusError ? inner.status : undefined;
}

/** What a `fetch` of ours threw. */
function innerError(fault: SdkFault): unknown {
  return fault.kind === 'other' ? fault.error : fault.kind === 'negotiation' ? fault.cause : undefined;
}
