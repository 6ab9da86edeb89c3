import type { Clock } from '../base/clock.ts';
import { say } from '../base/say.ts';
import { ConnectError } from './connectionFailure.ts';
import { installTimeout, type InstallFault } from './installing/installFault.ts';
import type { StartPhase, StartTime } from './installing/startTime.ts';
import type { StartWatch } from './installing/startWatch.ts';
import type { Refusal } from './protocol/legacyVersions.ts';
import type { SdkFault } from './protocol/sdk.ts';
import { HttpStatusError } from './remote/answers/httpStatus.ts';
import { waitForExit, type Link } from './serverLink.ts';
import { framingAdvice } from './stdio/startAdvice.ts';
import { tellingLine } from './stdio/stderrReason.ts';

type Sdk = typeof import('./protocol/sdk.ts');

/**
 * Why a session could not be opened: what the link and the server say of it, and for a process that ended while it was
 * being installed, why that failed.
 * @param error what the SDK's client threw; a ConnectError stays as it is
 */
export async function explainHandshakeFailure(
  sdk: Sdk,
  link: Link,
  watch: StartWatch | undefined,
  error: unknown,
  clock: Clock,
): Promise<ConnectError> {
  if (error instanceof ConnectError) return error;
  const fault = sdk.classifySdkError(error);
  await waitForExit(link, clock);
  const explained = withRefusal(await link.explainHandshake(fault, error), fault);
  const installFault = explained.code === 'exited' ? watch?.installFault(link.exit) : undefined;
  return installFault ? asError(installFault, link, error) : explained;
}

/** The error with what the server said, where it refused the handshake. */
function withRefusal(explained: ConnectError, fault: SdkFault): ConnectError {
  const refusal = refusalIn(fault);
  if (!refusal) return explained;
  const { code, message, remedy, cause, stderrTail, status, retryAfterMs, canSignIn } = explained;
  const options = { cause, stderrTail, retryAfterMs, canSignIn, refusal, ...(remedy === undefined ? {} : { remedy }) };
  return new ConnectError(code, message, { ...options, ...(status === undefined ? {} : { status }) });
}

function refusalIn(fault: SdkFault): Refusal | undefined {
  if (fault.kind === 'protocol') return fault;
  const error = fault.kind === 'negotiation' ? fault.cause : fault.kind === 'other' ? fault.error : undefined;
  return error instanceof HttpStatusError && error.said !== undefined ? { message: error.said } : undefined;
}

function asError({ code, message, remedy }: InstallFault, link: Link, cause?: unknown): ConnectError {
  return new ConnectError(code, message, { remedy, cause, stderrTail: link.stderrTail() });
}

/** The time of a phase is over: what the server was doing, as far as that is known. */
export function handshakeTimedOut(
  phase: StartPhase,
  link: Link,
  watch: StartWatch | undefined,
  { limits }: StartTime,
): ConnectError {
  if (phase === 'installing') return asError(installTimeout(watch?.installing, limits.installing), link);
  const limit = limits.handshake / 1000;
  if (link.waitsFor !== undefined)
    return new ConnectError(
      'handshake-timeout',
      say`The server didn't finish the handshake within ${limit} s: ${link.waitsFor}`,
      {
        remedy: say`Check the URL, and the type: most servers of today are "http".`,
      },
    );
  const telling = tellingLine(link.stderrTail(), true);
  const said = telling === undefined ? '.' : say`; on stderr: ${telling}${/[.!?…]$/.test(telling) ? '' : '.'}`;
  return new ConnectError('handshake-timeout', say`The server didn't finish the handshake within ${limit} s${said}`, {
    remedy: framingAdvice(link.stderrLines?.() ?? []) ?? say`See its log, or set a longer time-out.`,
    stderrTail: link.stderrTail(),
  });
}
