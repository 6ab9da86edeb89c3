import { messageOf, SwitchboardError } from '../../base/errors.ts';
import { toError } from '../connectionFailure.ts';
import type { ConnectionFailure } from '../connectionTypes.ts';
import { LocalFault } from '../protocol/guardedTransport.ts';
import type { SdkFault } from '../protocol/sdk.ts';
import { meansNotRun, networkCode, requestRemedy, wantsSignIn, wasNeverSent } from '../remote/httpStatus.ts';

/** A request that failed. */
export interface FailedRequest {
  /** The request as the message names it: `The call of "search"`. */
  readonly what: string;
  readonly fault: SdkFault;
  readonly error: unknown;
  /** The caller cancelled it. */
  readonly aborted: boolean;
  readonly timeoutMs: number;
  /** Why the connection ended, where it did. */
  readonly lost: ConnectionFailure | undefined;
  /** `Retry-After` as the server sent it. */
  readonly retryAfter: string | undefined;
}

/**
 * The error for a request that failed. Pure. `not-connected`: the server has certainly not acted on it;
 * `connection-lost`: it may have.
 */
export function explainRequest(request: FailedRequest): SwitchboardError {
  const { what, fault, error: cause, lost } = request;
  if (request.aborted) return new SwitchboardError('call-cancelled', `${what} was cancelled.`, { cause });
  if (lost) return explainLost(request, lost);
  switch (fault.kind) {
    case 'timeout':
      return new SwitchboardError('call-timeout', `${what} got no answer within ${request.timeoutMs / 1000} s.`, {
        remedy: 'It may still be running on the server. Try again, or set a longer time-out for this server.',
        cause,
      });
    case 'closed':
      return new SwitchboardError('connection-lost', `${what} failed: the connection ended.`, { cause });
    case 'unauthorized':
      return new SwitchboardError('needs-auth', `${what} was refused: the server requires a sign-in.`, { cause });
    case 'http':
      return explainStatus(request, fault.status);
    case 'protocol':
      return fault.data instanceof LocalFault ? explainLocal(request, fault.data) : explainProtocol(request, fault);
    case 'invalid':
      return new SwitchboardError('call-failed', `${what} failed: the server's answer doesn't follow the protocol.`, {
        cause,
      });
    case 'endless-list':
      return new SwitchboardError('call-failed', `${what} failed: the list has too many pages.`, { cause });
    case 'negotiation':
    case 'other': {
      if (cause instanceof RefusedRequest) {
        return new SwitchboardError('call-failed', `${what} failed: ${cause.message}`, { cause });
      }
      const code = networkCode(cause);
      return new SwitchboardError(
        wasNeverSent(code) ? 'not-connected' : 'connection-lost',
        `${what} failed: ${code === undefined ? 'the connection failed' : `the connection failed (${code})`}.`,
        { cause },
      );
    }
  }
}

function explainLost(request: FailedRequest, lost: ConnectionFailure): SwitchboardError {
  const refused = request.fault.kind === 'http' && meansNotRun(request.fault.status);
  const code =
    lost.code === 'needs-auth'
      ? 'needs-auth'
      : refused || lost.code === 'unreachable'
        ? 'not-connected'
        : 'connection-lost';
  const failure = toError(lost, code);
  return new SwitchboardError(code, `${request.what} failed: ${failure.message}`, {
    remedy: code === 'needs-auth' ? 'Sign in to the server.' : 'It is reconnecting. Try again.',
    cause: request.error,
  });
}

function explainStatus(request: FailedRequest, status: number): SwitchboardError {
  const { what, error: cause } = request;
  if (wantsSignIn(status)) {
    return new SwitchboardError('needs-auth', `${what} was refused (HTTP ${status}).`, {
      remedy: 'Sign in to the server, or correct its headers.',
      cause,
    });
  }
  const wait = request.retryAfter === undefined ? '' : ` Retry-After: ${request.retryAfter}.`;
  return new SwitchboardError('http-status', `${what} failed: the server answered with HTTP ${status}.${wait}`, {
    remedy: requestRemedy(status),
    cause,
  });
}

function explainProtocol(request: FailedRequest, fault: { code: number; message: string }): SwitchboardError {
  return new SwitchboardError('call-failed', `${request.what} failed: ${fault.message} (${fault.code}).`, {
    cause: request.error,
  });
}

function explainLocal(request: FailedRequest, fault: LocalFault): SwitchboardError {
  const { what } = request;
  switch (fault.kind) {
    case 'too-large':
      return new SwitchboardError(
        'message-too-large',
        `${what} failed: the answer of ${fault.bytes} bytes is over the limit.`,
        {
          remedy: 'Request less data.',
        },
      );
    case 'stream-ended':
      return new SwitchboardError('connection-lost', `${what} failed: the server ended the stream without an answer.`, {
        remedy: 'It may have run. Try again if that is safe.',
      });
    case 'malformed':
      return new SwitchboardError('call-failed', `${what} failed: the server's answer has neither result nor error.`);
  }
}

/**
 * A request of the server was refused, or failed. In the legacy era this is the answer to it; in the modern era the request
 * was the answer to a call, which fails.
 */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
  /** The JSON-RPC code that the server gets. */
  readonly code?: number;

  constructor(method: string, cause: unknown) {
    super(`the server's request ${method} was refused: ${messageOf(cause)}`, { cause });
    if (cause instanceof Error && 'code' in cause && typeof cause.code === 'number') this.code = cause.code;
  }
}
