import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { JsonObject } from '../../base/json/json.ts';
import { LIST_METHODS, type ListMethod } from '../../calls/itemRequest.ts';
import { RPC_CODES } from '../../connection/protocol/rpcCodes.ts';
import { RpcError } from './protocol/jsonRpc.ts';

/** The list that a method asks for, if it does. */
export function listMethodOf(method: string): ListMethod | undefined {
  return LIST_METHODS.find((each) => each === method);
}

/**
 * The cursors of one session's lists, as clients get them: each is bound to its list and to the session, so that only what the
 * server gave goes back to it. Otherwise a client could tell a server anything in a cursor.
 */
export class ListCursors {
  readonly #key = randomBytes(32);

  /**
   * What of a client's parameters goes to the server.
   * @throws RpcError `invalidParams` for a cursor that isn't one of this list (specification: *Pagination*, error handling)
   */
  opened(method: ListMethod, { cursor }: JsonObject): JsonObject {
    if (cursor === undefined) return {};
    const [encoded = '', tag = '', ...rest] = typeof cursor === 'string' ? cursor.split('.') : [];
    const own = Buffer.from(encoded, 'base64url').toString('utf8');
    if (rest.length > 0 || !isSame(tag, this.#tagOf(method, own)))
      throw new RpcError(RPC_CODES.invalidParams, 'Unknown cursor. List from the beginning, without one.');
    return { cursor: own };
  }

  /** A page as the client gets it. */
  sealed(method: ListMethod, page: JsonObject): JsonObject {
    const { nextCursor } = page;
    if (typeof nextCursor !== 'string') return page;
    const encoded = Buffer.from(nextCursor).toString('base64url');
    return { ...page, nextCursor: `${encoded}.${this.#tagOf(method, nextCursor)}` };
  }

  #tagOf(method: ListMethod, cursor: string): string {
    return createHmac('sha256', this.#key).update(`${method}\n${cursor}`).digest('base64url');
  }
}

/** In a time that tells nothing of where they differ. */
function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
