import type { ErrorCode } from '../../base/errors.ts';
import { olderVersion, type Refusal } from '../protocol/legacyVersions.ts';
import { fewerCapabilities, type FewerCapabilities } from '../protocol/refusedCapabilities.ts';
import { refusesTransport } from '../remote/answers/httpStatus.ts';
import { startsInstalling } from '../installing/processRole.ts';
import type { ConnectionSpec, InProcessServer } from '../connectionTypes.ts';

/** One way to try to connect. `auto` asks for the protocol era first, `legacy` starts with `initialize`. */
export interface Attempt {
  readonly transport: 'stdio' | 'http' | 'sse' | 'ws' | 'in-process';
  readonly era: 'auto' | 'legacy';
  /** What `initialize` offers; the newest legacy version if absent. */
  readonly version?: string;
  /** What of the client's capabilities is declared; all of them if absent. */
  readonly capabilities?: FewerCapabilities;
}

export interface AttemptFailure {
  readonly code: ErrorCode;
  readonly status?: number | undefined;
  /** What the server says that refuses the handshake. */
  readonly refusal?: Refusal | undefined;
}

/**
 * What to try first. HTTP+SSE ends with protocol 2024-11-05, a server in this process that takes a transport with
 * 2025-11-25.
 */
export function firstAttempt(spec: Pick<ConnectionSpec, 'type'> & { readonly server?: InProcessServer }): Attempt {
  switch (spec.type) {
    case 'stdio':
      return { transport: 'stdio', era: 'auto' };
    case 'http':
    case 'url':
      return { transport: 'http', era: 'auto' };
    case 'sse':
      return { transport: 'sse', era: 'legacy' };
    case 'ws':
      return { transport: 'ws', era: 'auto' };
    case 'sdk':
      return spec.server?.kind === 'fetch'
        ? { transport: 'http', era: 'auto' }
        : { transport: 'in-process', era: 'legacy' };
  }
}

/**
 * What to try after an attempt that failed, within the same handshake; `undefined`: nothing. Pure.
 *
 * - A process that exited during the probe for its era may be one that exits on any message before `initialize`.
 * - Over HTTP the SDK falls back only where the answer says "legacy"; an old server may also answer the probe with a 500,
 *   a web page, a reset or silence, so `initialize` gets one try. Never after 401 or 403.
 * - A URL without a type that refuses Streamable HTTP is tried as HTTP+SSE (specification 2025-11-25, *Backwards
 *   Compatibility*).
 * - A server that refuses the version instead of offering another one is offered an older one.
 * - A server that refuses a capability of the client that it doesn't know is told of fewer.
 */
export function nextAttempt(type: ConnectionSpec['type'], last: Attempt, failure: AttemptFailure): Attempt | undefined {
  if (failure.code === 'needs-auth') return undefined;
  const version = failure.refusal && olderVersion(last.version, failure.refusal);
  if (version !== undefined) return { ...last, era: 'legacy', version };
  const capabilities = failure.refusal && fewerCapabilities(last.capabilities, failure.refusal);
  if (capabilities !== undefined) return { ...last, era: 'legacy', capabilities };
  if (last.transport === 'stdio') {
    return last.era === 'auto' && failure.code === 'exited' ? { transport: 'stdio', era: 'legacy' } : undefined;
  }
  if (last.transport === 'sse' || last.transport === 'in-process') return undefined;
  if (refusesTransport(failure.status)) return type === 'url' ? { transport: 'sse', era: 'legacy' } : undefined;
  // Whom nobody reaches, or whose authorization server refuses this client, answers no other era either.
  if (last.era === 'legacy' || ['unreachable', 'certificate', 'unsupported', 'denied'].includes(failure.code))
    return undefined;
  return { transport: last.transport, era: 'legacy' };
}

/** Whether the server answered, but not in the protocol that it spoke last. */
export function isAnswer({ code, status = 500 }: AttemptFailure): boolean {
  return code === 'handshake-failed' || (code === 'http-status' && status < 500);
}

/** How long a server may take to answer the probe for its era; without an answer it is a legacy server. */
const PROBE_MS = { stdio: 4000, stdioPackageRunner: 10_000, remote: 10_000 };

/** The time-out of the probe; leaves a third of the handshake for what follows. */
export function probeTimeoutMs(spec: ConnectionSpec, handshakeTimeoutMs: number): number {
  const local = startsInstalling(spec) ? PROBE_MS.stdioPackageRunner : PROBE_MS.stdio;
  return Math.min(spec.type === 'stdio' ? local : PROBE_MS.remote, Math.floor((handshakeTimeoutMs * 2) / 3));
}
