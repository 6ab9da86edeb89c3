import { SwitchboardError, type ErrorCode } from '../base/errors.ts';
import type { Mask } from '../base/text/secrets.ts';
import type { ConnectionFailure } from './connectionTypes.ts';
import type { Refusal } from './protocol/legacyVersions.ts';
import { say } from '../base/say.ts';

/** How many stderr lines a failure carries (design: *Connections*). */
export const STDERR_TAIL_LINES = 20;

/** A failure to connect, with what the next attempt depends on. */
export class ConnectError extends SwitchboardError {
  readonly stderrTail: readonly string[];
  /** HTTP status of the server's answer. */
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  /** See `ConnectionFailure`. */
  readonly canSignIn: boolean;
  /** What the server said that refused the handshake. */
  readonly refusal: Refusal | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      remedy?: string;
      cause?: unknown;
      stderrTail?: readonly string[];
      status?: number;
      retryAfterMs?: number | undefined;
      canSignIn?: boolean;
      refusal?: Refusal | undefined;
    } = {},
  ) {
    super(code, message, options);
    this.stderrTail = options.stderrTail ?? [];
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
    this.canSignIn = options.canSignIn === true;
    this.refusal = options.refusal;
  }
}

/** The error as part of a state. */
export function toFailure(error: SwitchboardError): ConnectionFailure {
  const known = error instanceof ConnectError ? error : undefined;
  return {
    code: error.code,
    message: error.message,
    ...(error.remedy === undefined ? {} : { remedy: error.remedy }),
    stderrTail: known?.stderrTail ?? [],
    ...(known?.retryAfterMs === undefined ? {} : { retryAfterMs: known.retryAfterMs }),
    ...(known?.canSignIn ? { canSignIn: true } : {}),
    ...(error.code === 'needs-auth' && known?.status !== undefined ? { status: known.status } : {}),
  };
}

/** The failure without the server's secrets. */
export function maskedFailure(failure: ConnectionFailure, mask: Mask): ConnectionFailure {
  const { message, remedy, stderrTail } = failure;
  return {
    ...failure,
    message: mask(message),
    ...(remedy === undefined ? {} : { remedy: mask(remedy) }),
    stderrTail: stderrTail.map(mask),
  };
}

/** Turns anything thrown into a SwitchboardError. */
export function asSwitchboardError(error: unknown): SwitchboardError {
  if (error instanceof SwitchboardError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new SwitchboardError('internal', say`Unexpected error: ${message}`, { cause: error });
}
