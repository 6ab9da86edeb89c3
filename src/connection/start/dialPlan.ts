import type { ErrorCode } from '../../base/errors.ts';
import type { ConnectionSpec, InProcessServer } from '../connectionTypes.ts';

/** One way to try to connect. `auto` asks for the protocol era first, `legacy` starts with `initialize`. */
export interface Attempt {
  readonly transport: 'stdio' | 'http' | 'sse' | 'ws' | 'memory';
  readonly era: 'auto' | 'legacy';
}

export interface AttemptFailure {
  readonly code: ErrorCode;
  readonly status?: number | undefined;
}

/**
 * HTTP+SSE knows no protocol after 2024-11-05, and a server that takes a transport in this process none after
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
        : { transport: 'memory', era: 'legacy' };
  }
}

/**
 * What to try after an attempt that failed, at once and within the same handshake; `undefined`: nothing. Pure.
 *
 * - A process that ended during the question for its era may be one that ends on any message before `initialize`.
 * - Over HTTP the SDK falls back by itself only where the answer says "legacy"; a 500, a web page, a reset or silence
 *   may be how an old server takes the question, so `initialize` gets one try. Never after 401 or 403.
 * - A URL without a type that refuses Streamable HTTP is tried as HTTP+SSE (specification 2025-11-25, *Backwards
 *   Compatibility*).
 */
export function nextAttempt(type: ConnectionSpec['type'], last: Attempt, failure: AttemptFailure): Attempt | undefined {
  if (failure.code === 'needs-auth') return undefined;
  if (last.transport === 'stdio') {
    return last.era === 'auto' && failure.code === 'exited' ? { transport: 'stdio', era: 'legacy' } : undefined;
  }
  if (last.transport === 'sse' || last.transport === 'memory') return undefined;
  const { status } = failure;
  if (status !== undefined && status >= 400 && status < 500 && status !== 429) {
    return type === 'url' ? { transport: 'sse', era: 'legacy' } : undefined;
  }
  if (last.era === 'legacy' || isConnectRefused(failure)) return undefined;
  return { transport: last.transport, era: 'legacy' };
}

function isConnectRefused(failure: AttemptFailure): boolean {
  return failure.code === 'unreachable';
}
