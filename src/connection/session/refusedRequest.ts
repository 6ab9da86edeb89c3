import { messageOf } from '../../base/errors.ts';

/**
 * What a server asked for was refused here, or failed. In the older era the server gets this as the answer to its
 * request; in the later one its question was the answer to a call, which fails by it.
 */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
  /** Of JSON-RPC, where the refusal has one; servers are answered with it. */
  readonly code?: number;

  constructor(method: string, cause: unknown) {
    super(`what the server asked for (${method}) was refused: ${messageOf(cause)}`, { cause });
    if (cause instanceof Error && 'code' in cause && typeof cause.code === 'number') this.code = cause.code;
  }
}
