import { RPC_CODES } from '../../../connection/protocol/rpcCodes.ts';
import type { JsonObject } from '../../../base/json/json.ts';
import type { ClientSession } from './clientSession.ts';
import type { EventStream } from './eventStream.ts';
import { forwarded, progressTo, type ForwardedRequest } from './forwardedRequest.ts';
import { RpcError } from './jsonRpc.ts';
import { isLogLevel, isOffered } from './protocolMethods.ts';
import { taskRequest } from './taskRequests.ts';
import type { Upstream } from '../upstream.ts';

/** A request of a client with a session (protocol 2025-11-25 and older). */
export interface SessionRequest extends Pick<ForwardedRequest, 'method' | 'params' | 'signal'> {
  readonly session: ClientSession;
  /** What it is answered on: it may take long and ask something. */
  readonly stream: EventStream;
}

/** What is kept with a session, and so went with it in 2026-07-28. */
const OF_SESSIONS: readonly string[] = ['resources/subscribe', 'resources/unsubscribe', 'logging/setLevel'];

/**
 * The result of such a request.
 * @throws RpcError, or what the upstream throws
 */
export async function sessionResult(upstream: Upstream, request: SessionRequest): Promise<JsonObject> {
  const { method, params, session, stream, signal } = request;
  if (method === 'ping') return {};
  const aboutTask = upstream.tasks && taskRequest(upstream.tasks, method, params, session.clientName, signal);
  if (aboutTask) return aboutTask;
  const isKept = OF_SESSIONS.includes(method) && isOffered(method, upstream.describe().capabilities);
  switch (isKept ? method : undefined) {
    case 'resources/subscribe':
      if (!session.isSubscribed(params['uri'])) {
        const uri = uriOf(params);
        session.keepSubscription(uri, await upstream.subscribe(uri, session.clientName));
      }
      return {};
    case 'resources/unsubscribe':
      session.dropSubscription(uriOf(params));
      return {};
    case 'logging/setLevel':
      if (!isLogLevel(params['level'])) throw new RpcError(RPC_CODES.invalidParams, 'Unknown log level.');
      session.logLevel = params['level'];
      return {};
    default: {
      const onProgress = progressTo(params, (message) => stream.send(message));
      const client = session.clientOn(stream);
      const { hasOriginals } = session;
      const about = { method, params, signal, client, hasOriginals, isOfSession: true };
      return forwarded(upstream, { ...about, ...(onProgress ? { onProgress } : {}) });
    }
  }
}

function uriOf({ uri }: JsonObject): string {
  if (typeof uri !== 'string') throw new RpcError(RPC_CODES.invalidParams, '`uri` must be a string.');
  return uri;
}
