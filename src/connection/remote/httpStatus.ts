import type { FetchLike } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/json.ts';
import { MAX_LINE_BYTES } from '../stdio/lineFraming.ts';
import { answerPage, type AnswerPage } from './answerPage.ts';
import { errorText, limitBody, withBody } from './limitedBody.ts';

/** A failed request or an answer that isn't a success. */
export type HttpTrouble =
  /** No answer at all. */
  | { readonly kind: 'network'; readonly error: unknown }
  /** The server no longer knows the session (specification: Streamable HTTP, *Session Management*). */
  | { readonly kind: 'session-gone'; readonly status: number }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter: string | undefined;
      /** Where a redirect leads, as the server wrote it. */
      readonly location?: string;
      readonly page?: AnswerPage;
    }
  /** A body or an event is over the limit. `id`: of the request that it answers, where it answers one. */
  | { readonly kind: 'too-large'; readonly bytes: number; readonly id: string | number | undefined };

/** An HTTP error, where the SDK would only give text. */
export class HttpStatusError extends Error {
  override readonly name = 'HttpStatusError';
  readonly status: number;

  constructor(status: number) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}

/**
 * Wraps `fetch` so that every answer and every failure of a connection is seen, whichever part of the SDK sent the request.
 *
 * @param sessionInUrl the connection is HTTP+SSE: the session is in the URL posted to, and answers to posts that aren't
 * successes are thrown as `HttpStatusError`, since the SDK gives only a text for them
 * @param maxBytes of a body, or of one event in a stream
 */
export function watchFetch(
  inner: typeof fetch,
  sessionInUrl: boolean,
  onTrouble: (trouble: HttpTrouble) => void,
  maxBytes: number = MAX_LINE_BYTES,
): FetchLike {
  return async (url, init) => {
    let response: Response;
    try {
      response = await inner(url, init);
    } catch (error) {
      if (!init?.signal?.aborted) onTrouble({ kind: 'network', error });
      throw error;
    }
    if (response.ok || response.status === 405)
      return limitBody(response, maxBytes, (bytes) =>
        onTrouble({ kind: 'too-large', bytes, id: requestIn(init?.body) }),
      );
    const text = await errorText(response);
    const inSession = sessionInUrl ? init?.method === 'POST' : new Headers(init?.headers).has('mcp-session-id');
    if (inSession && saysSessionIsGone(response.status, text)) {
      onTrouble({ kind: 'session-gone', status: response.status });
    } else {
      const location = response.headers.get('location');
      const page = answerPage(response.status, response.headers, text);
      onTrouble({
        kind: 'status',
        status: response.status,
        retryAfter: response.headers.get('retry-after') ?? undefined,
        ...(location === null ? {} : { location }),
        ...(page ? { page } : {}),
      });
    }
    if (sessionInUrl && init?.method === 'POST') throw new HttpStatusError(response.status);
    return withBody(response, hasNoBody(response.status) ? null : text);
  };
}

/** The id of the request in a body that the SDK made. */
function requestIn(body: unknown): string | number | undefined {
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
  const id = isRecord(message) ? message['id'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/**
 * 404 means it. So does 400, which servers in use send, unless the body is the answer to the request, with its id.
 */
function saysSessionIsGone(status: number, text: string): boolean {
  if (status === 404) return true;
  if (status !== 400) return false;
  try {
    const body: unknown = JSON.parse(text);
    return !isRecord(body) || body['id'] === undefined || body['id'] === null;
  } catch {
    return true;
  }
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

/** An answer to a request after which its session is given up: it says nothing of whether the request was acted on. */
export function endsSession(status: number): boolean {
  return status === 400 || status === 401 || status === 404 || isRedirect(status);
}

export function isRedirect(status: number): boolean {
  return status > 300 && status < 400 && status !== 304;
}

/** What to do about a status that a handshake failed with. */
export function handshakeRemedy(status: number): string {
  if (status < 400) return 'It redirects to another address, which is not followed. Use that address as the URL.';
  if (status === 404 || status === 405) return 'Check the URL and the type ("http" or "sse") of the server.';
  return 'Try again later, or contact the owner of the server.';
}

/** What to do about a status that a request failed with. */
export function requestRemedy(status: number): string {
  return status === 429 ? 'Wait before trying again.' : 'It may have run. Try again later, if that is safe.';
}

/** Longest `Retry-After` that is respected. */
const LONGEST_RETRY_AFTER_MS = 5 * 60_000;

/** `Retry-After` (RFC 9110, section 10.2.3: seconds, or a date) in milliseconds from `now`. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, ms));
}

/** The system's error code, under the errors that `fetch` wraps around it. */
export function networkCode(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof AggregateError && at.errors.length > 0) return networkCode(at.errors[0]);
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return undefined;
}
