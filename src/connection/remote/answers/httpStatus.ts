import { say } from '../../../base/say.ts';
import type { FetchLike } from '@modelcontextprotocol/client';
import { SwitchboardError } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json/json.ts';
import { bearerChallenge } from '../../auth/requests/challenges.ts';
import { RPC_CODES } from '../../protocol/rpcCodes.ts';
import { MAX_TEXT_BYTES } from '../../reading/collectedText.ts';
import { answerPage, type AnswerPage } from './htmlAnswer.ts';
import { saidIn } from './answerText.ts';
import { askedBy, judgeAnswer, type Asked, type HttpVerdict } from './httpAnswer.ts';
import { errorText, limitBody, withBody } from './limitedBody.ts';
import { retryAfterMs } from './retryAfter.ts';
import { standsFor } from '../../recording/httpFrame.ts';
import type { Renewals } from '../sessionRenewals.ts';

/** A failed request or an answer that isn't a success. */
export type HttpTrouble =
  /** No answer at all. */
  | { readonly kind: 'network'; readonly error: unknown }
  /** The session is gone, or the server requires a sign-in: for everything, or for this request. */
  | {
      readonly kind: 'renew' | 'sign-in' | 'account';
      readonly asked: Asked;
      readonly status: number;
      readonly said?: string;
    }
  | {
      readonly kind: 'status';
      readonly status: number;
      /** `Retry-After` in milliseconds. */
      readonly retryAfterMs: number | undefined;
      /** Where a redirect leads, as the server wrote it. */
      readonly location?: string;
      readonly page?: AnswerPage;
      /** The server's own sentence. */
      readonly said?: string;
    }
  /** A body or an event is over the limit. `id`: of the request that it answers, where it answers one. */
  | { readonly kind: 'too-large'; readonly bytes: number; readonly id: string | number | undefined };

export type StatusTrouble = Extract<HttpTrouble, { readonly kind: 'status' }>;

/** A request that an HTTP status answers, where the SDK would only give text. */
export class HttpStatusError extends Error {
  override readonly name = 'HttpStatusError';
  readonly status: number;
  readonly verdict: HttpVerdict['kind'];
  /** The server's own sentence. */
  readonly said: string | undefined;
  /** How long the server asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    status: number,
    verdict: HttpVerdict['kind'] = 'failed',
    { said, retryAfterMs }: { said?: string | undefined; retryAfterMs?: number | undefined } = {},
  ) {
    super(`HTTP ${status}`);
    this.status = status;
    this.verdict = verdict;
    this.said = said;
    this.retryAfterMs = retryAfterMs;
  }
}

/** What `watchFetch` knows of the connection. */
export interface Watched {
  /** The connection is HTTP+SSE: the session is in the URL posted to, and answers come on the stream only. */
  readonly sessionInUrl: boolean;
  readonly renewals: Renewals;
  /** The handshake is done. */
  readonly hasWorked: () => boolean;
  /** The session was given up already: what is still answered in it says no more than that. */
  readonly isLost: () => boolean;
  readonly onTrouble: (trouble: HttpTrouble) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether a session had no account up to this answer, where one can be signed in to. */
  readonly isAnonymous?: (response: Response) => boolean;
  /** Of a body, or of one event in a stream. */
  readonly maxBytes?: number;
}

/**
 * Wraps `fetch` so that every answer and every failure of a connection is seen, whichever part of the SDK sent the request,
 * and gives the SDK what `judgeAnswer` takes the answer for.
 */
export function watchFetch(inner: typeof fetch, watched: Watched): FetchLike {
  const { sessionInUrl, renewals, onTrouble, maxBytes = MAX_TEXT_BYTES } = watched;
  return async (url, init) => {
    const { asked, id } = askedIn(init, sessionInUrl);
    let response: Response;
    try {
      response = await inner(url, init);
    } catch (error) {
      // What authorizes requests says itself why it couldn't: then nothing was sent.
      const isOfNetwork = !(error instanceof SwitchboardError);
      if (isOfNetwork && !init?.signal?.aborted && asked !== 'end') onTrouble({ kind: 'network', error });
      throw error;
    }
    if (response.ok) {
      return limitBody(usableSuccess(response, id), maxBytes, (bytes) => onTrouble({ kind: 'too-large', bytes, id }));
    }
    const body = await errorText(response);
    const { status } = response;
    const inSession = sessionInUrl || namesSession(init);
    const verdict = judgeAnswer({
      asked,
      id,
      status,
      body,
      worked: watched.hasWorked(),
      inSession,
      isAnonymous: watched.isAnonymous?.(response) ?? false,
      challenges: bearerChallenge(response.headers.get('www-authenticate')) !== undefined,
      renewed: renewals.has(asked) && !watched.isLost(),
    });
    const said = saidIn(body);
    const sentence = said === undefined ? {} : { said };
    const waitMs = retryAfterMs(response.headers.get('retry-after') ?? undefined, watched.now());
    const location = response.headers.get('location');
    const page = answerPage(status, response.headers, body);
    const trouble: HttpTrouble = {
      kind: 'status',
      status,
      retryAfterMs: waitMs,
      ...sentence,
      ...(location === null ? {} : { location }),
      ...(page ? { page } : {}),
    };
    switch (verdict.kind) {
      case 'ignore':
        // Over HTTP+SSE, answers come on the stream only.
        if (sessionInUrl && id !== undefined) break;
        return ignored(asked, id);
      case 'message':
        if (watched.hasWorked()) renewals.succeeded(asked);
        if (sessionInUrl) break;
        return standsFor(
          new Response(body, { status: 200, headers: { 'content-type': 'application/json' } }),
          response,
        );
      case 'renew':
        renewals.renewed(asked);
        onTrouble({ kind: 'renew', asked, status, ...sentence });
        break;
      case 'sign-in':
        onTrouble(trouble);
        onTrouble({ kind: 'sign-in', asked, status, ...sentence });
        break;
      case 'account':
        onTrouble({ kind: 'account', asked, status, ...sentence });
        break;
      case 'pass':
      case 'failed':
        onTrouble(trouble);
        if (verdict.kind === 'pass') return withBody(response, hasNoBody(status) ? null : body);
    }
    throw new HttpStatusError(status, verdict.kind, { said, retryAfterMs: waitMs });
  };
}

/** Whether a request names a session. */
export function namesSession(init: RequestInit | undefined): boolean {
  return new Headers(init?.headers).has('mcp-session-id');
}

/** What a request of the SDK asks for, and its id. */
export function askedIn(
  init: RequestInit | undefined,
  sessionInUrl: boolean,
): { readonly asked: Asked; readonly id: string | number | undefined } {
  if (init?.method === 'DELETE') return { asked: 'end', id: undefined };
  if (init?.method !== 'POST') return { asked: sessionInUrl ? 'sse' : 'stream', id: undefined };
  const message: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
  const id = isRecord(message) ? message['id'] : undefined;
  return {
    asked: askedBy(isRecord(message) ? message : {}),
    id: typeof id === 'string' || typeof id === 'number' ? id : undefined,
  };
}

/** What the SDK gets in place of an answer that means nothing. */
function ignored(asked: Asked, id: string | number | undefined): Response {
  const json = (message: object): Response =>
    new Response(JSON.stringify({ jsonrpc: '2.0', id, ...message }), {
      headers: { 'content-type': 'application/json' },
    });
  switch (asked) {
    case 'ping':
      return json({ result: {} });
    case 'discover':
      return json({ error: { code: RPC_CODES.methodNotFound, message: 'Not known' } });
    case 'notification':
      return new Response(null, { status: 202 });
    default:
      return new Response(null, { status: 405 });
  }
}

/** An answer to a request is read whatever kind of success its status is; the SDK would wait for another. */
function usableSuccess(response: Response, id: string | number | undefined): Response {
  const type = response.headers.get('content-type');
  if (response.status !== 202 || id === undefined || !response.body || type === null) return response;
  if (!/^\s*(?:application\/json|text\/event-stream)\b/i.test(type)) return response;
  if (response.headers.get('content-length') === '0') return response;
  return standsFor(new Response(response.body, { status: 200, headers: response.headers }), response);
}

/** Statuses of a `Response` without a body (Fetch standard: *null body status*). */
function hasNoBody(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

/** The server requires a sign-in or other headers. */
export function wantsSignIn(status: number): boolean {
  return status === 401 || status === 403;
}

/** The server answers, but not over this transport: a URL without a type is then tried as HTTP+SSE. */
export function refusesTransport(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && status !== 429;
}

/** What to do about a status that a handshake failed with. */
export function handshakeRemedy(status: number): string {
  if (status < 400) return say`It redirects to another address, which is not followed. Use that address as the URL.`;
  if (status === 404 || status === 405) return say`Check the URL and the type ("http" or "sse") of the server.`;
  return say`Try again later, or contact the owner of the server.`;
}

/** What to do about a status that a request failed with. */
export function requestRemedy(status: number, retryAfterMs?: number): string {
  const wait =
    retryAfterMs === undefined ? undefined : say`Wait ${Math.ceil(retryAfterMs / 1000)} s before trying again`;
  if (status === 429) return say`${wait ?? say`Wait before trying again`}.`;
  return wait === undefined
    ? say`It may have run. Try again later, if that is safe.`
    : say`It may have run. ${wait}, if that is safe.`;
}

/** The system's error code, under the errors that `fetch` wraps around it. */
export function networkCode(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof AggregateError && at.errors.length > 0) return networkCode(at.errors[0]);
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return undefined;
}
