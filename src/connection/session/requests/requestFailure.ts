import { messageOf, SwitchboardError } from '../../../base/errors.ts';
import type { ConnectionFailure } from '../../connectionTypes.ts';
import { LocalFault } from '../../protocol/localFault.ts';
import { wasNeverSent } from '../../protocol/neverSent.ts';
import { RPC_CODES } from '../../protocol/rpcCodes.ts';
import type { SdkFault } from '../../protocol/sdk.ts';
import { ending } from '../../remote/answers/answerText.ts';
import { isRedirect } from '../../remote/answers/httpAnswer.ts';
import { EndedTask } from './endedTask.ts';
import { HttpStatusError, networkCode, requestRemedy, wantsSignIn } from '../../remote/answers/httpStatus.ts';
import { say } from '../../../base/say.ts';

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
}

/**
 * The error for a request that failed. Pure. `not-connected`: it was certainly never sent, as its own failure proves;
 * `connection-lost`: the server may have acted on it. How the connection ended says nothing of that.
 */
export function explainRequest(request: FailedRequest): SwitchboardError {
  const { what, error: cause, lost, fault } = request;
  if (request.aborted) return new SwitchboardError('call-cancelled', say`${what} was cancelled.`, { cause });
  if (lost && !isAnswer(fault)) return explainLost(request, lost);
  switch (fault.kind) {
    case 'timeout':
      return new SwitchboardError('call-timeout', say`${what} got no answer within ${request.timeoutMs / 1000} s.`, {
        remedy: say`It may still be running on the server. Try again, or set a longer time-out for this server.`,
        cause,
      });
    case 'closed':
      return new SwitchboardError('connection-lost', say`${what} failed: the connection ended.`, {
        remedy: MAY_HAVE_RUN,
        cause,
      });
    case 'unauthorized':
      return new SwitchboardError('needs-auth', say`${what} was refused: the server requires a sign-in.`, { cause });
    case 'http':
      return explainStatus(request, new HttpStatusError(fault.status));
    case 'protocol':
      return fault.data instanceof LocalFault ? explainLocal(request, fault.data) : explainProtocol(request, fault);
    case 'invalid':
      return new SwitchboardError(
        'call-failed',
        say`${what} failed: the server's answer doesn't follow the protocol.`,
        {
          cause,
        },
      );
    case 'endless-list':
      return new SwitchboardError('call-failed', say`${what} failed: the list has too many pages.`, { cause });
    case 'negotiation':
    case 'other': {
      const status = statusIn(fault);
      if (status) return explainStatus(request, status);
      if (cause instanceof RefusedRequest || cause instanceof EndedTask) {
        return new SwitchboardError('call-failed', say`${what} failed: ${cause.message}`, { cause });
      }
      // What authorizes requests couldn't: nothing was sent.
      if (cause instanceof SwitchboardError)
        return new SwitchboardError('not-connected', say`${what} was not sent: ${cause.fullMessage}`, { cause });
      const code = networkCode(cause);
      const message = say`${what} failed: ${code === undefined ? say`the connection failed` : say`the connection failed (${code})`}.`;
      return wasNeverSent(cause)
        ? new SwitchboardError('not-connected', message, { remedy: say`Try again.`, cause })
        : new SwitchboardError('connection-lost', message, { remedy: MAY_HAVE_RUN, cause });
    }
  }
}

const MAY_HAVE_RUN = say`It may have run. Try again if that is safe.`;

/** The HTTP status that answered the request. */
function statusIn(fault: SdkFault): HttpStatusError | undefined {
  return fault.kind === 'other' && fault.error instanceof HttpStatusError ? fault.error : undefined;
}

/** Whether the server answered this very request, and did not give up its session by that. */
function isAnswer(fault: SdkFault): boolean {
  switch (fault.kind) {
    case 'http':
      return !isRedirect(fault.status);
    case 'protocol':
      return !(fault.data instanceof LocalFault && ['stream-ended', 'session-refused'].includes(fault.data.kind));
    case 'invalid':
    case 'endless-list':
      return true;
    default: {
      const verdict = statusIn(fault)?.verdict;
      return verdict === 'failed' || verdict === 'message' || verdict === 'ignore' || verdict === 'account';
    }
  }
}

function explainLost({ what, fault, error: cause }: FailedRequest, lost: ConnectionFailure): SwitchboardError {
  const message = say`${what} failed: ${withStderr(lost)}`;
  if (wasNeverSent(cause)) {
    return new SwitchboardError('not-connected', message, { remedy: say`It is reconnecting. Try again.`, cause });
  }
  const wasRefused = fault.kind === 'unauthorized' || statusIn(fault)?.verdict === 'sign-in' || isSessionRefused(fault);
  if (wasRefused && lost.code === 'needs-auth') {
    return new SwitchboardError('needs-auth', message, { remedy: say`Sign in to the server.`, cause });
  }
  return new SwitchboardError('connection-lost', message, { remedy: MAY_HAVE_RUN, cause });
}

/** The failure for callers, with the last lines of stderr. */
function withStderr({ message, stderrTail }: ConnectionFailure): string {
  // Of what the message says already, nothing is left to say.
  const tail = stderrTail.filter((line) => line.trim() === '' || !message.includes(line.trim()));
  return tail.length > 0 ? `${message} Last lines of stderr:\n${tail.join('\n')}` : message;
}

function explainStatus(
  { what, error: cause }: FailedRequest,
  { status, verdict, said, retryAfterMs }: HttpStatusError,
): SwitchboardError {
  const says = ending(said);
  if (verdict === 'account') {
    return new SwitchboardError('needs-auth', say`${what} needs a sign-in (HTTP ${status})${says}`, {
      remedy: say`Only the user can sign in: command “MCP Switchboard: Sign In”. What else the server has stays usable.`,
      cause,
    });
  }
  if (wantsSignIn(status)) {
    return new SwitchboardError('needs-auth', say`${what} was refused (HTTP ${status})${says}`, {
      remedy: say`Sign in to the server, or correct its headers.`,
      cause,
    });
  }
  if (verdict === 'message')
    return new SwitchboardError('call-failed', say`${what} failed: ${said ?? status}`, { cause });
  return new SwitchboardError('http-status', say`${what} failed: the server answered with HTTP ${status}${says}`, {
    remedy: requestRemedy(status, retryAfterMs),
    cause,
  });
}

/** How much of a server's error is passed on. */
const MAX_SAID_CHARS = 16_384;

function explainProtocol(request: FailedRequest, fault: { code: number; message: string }): SwitchboardError {
  return new SwitchboardError(
    'call-failed',
    say`${request.what} failed: ${fault.message.slice(0, MAX_SAID_CHARS)} (${fault.code}).`,
    {
      cause: request.error,
    },
  );
}

function explainLocal(request: FailedRequest, fault: LocalFault): SwitchboardError {
  const { what } = request;
  switch (fault.kind) {
    case 'too-large':
      return new SwitchboardError(
        'message-too-large',
        say`${what} failed: the answer of ${fault.bytes} bytes is over the limit.`,
        {
          remedy: say`Request less data.`,
        },
      );
    case 'stream-ended':
      return new SwitchboardError(
        'connection-lost',
        say`${what} failed: the server ended the stream without an answer.`,
        {
          remedy: MAY_HAVE_RUN,
        },
      );
    case 'header-mismatch':
      return new SwitchboardError(
        'call-failed',
        say`${what} failed: the server says that its headers don't fit (${RPC_CODES.headerMismatch}).`,
        { remedy: say`The list of its tools is fetched anew. Try again.` },
      );
    case 'session-refused':
      return new SwitchboardError('connection-lost', say`${what} failed: the server refuses the session.`, {
        remedy: MAY_HAVE_RUN,
      });
    case 'malformed':
      return new SwitchboardError(
        'call-failed',
        fault.reason === ''
          ? say`${what} failed: the server's answer has neither result nor error.`
          : say`${what} failed: the server's answer can't be read: ${fault.reason}${ending(fault.said)}`,
        { remedy: MAY_HAVE_RUN },
      );
  }
}

/** Whether the server answered at all, in whatever way: then it is alive. */
export function isAnyAnswer(fault: SdkFault): boolean {
  switch (fault.kind) {
    case 'protocol':
    case 'invalid':
    case 'http':
    case 'unauthorized':
      return true;
    default:
      return statusIn(fault) !== undefined;
  }
}

function isSessionRefused(fault: SdkFault): boolean {
  return fault.kind === 'protocol' && fault.data instanceof LocalFault && fault.data.kind === 'session-refused';
}

/** The headers of a call come from the list of tools, which is out of date then. */
export function isHeaderMismatch(fault: SdkFault): boolean {
  return fault.kind === 'protocol' && fault.data instanceof LocalFault && fault.data.kind === 'header-mismatch';
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
    super(say`the server's request ${method} was refused: ${messageOf(cause)}`, { cause });
    if (cause instanceof Error && 'code' in cause && typeof cause.code === 'number') this.code = cause.code;
  }
}
