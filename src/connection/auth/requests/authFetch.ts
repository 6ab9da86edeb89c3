import type { FetchLike } from '@modelcontextprotocol/client';
import { limitBody } from '../../remote/answers/limitedBody.ts';
import { addressGuard, type AddressGuardOptions } from './addressGuard.ts';
import { jsonAnswer } from './jsonAnswer.ts';
import { noAnswerFrom } from './noAnswer.ts';
import { withoutSent } from './sentSecrets.ts';
import { asGranted, asksForToken, asOAuthError, withCredentialsInBody } from './tokenRequest.ts';

/** Time of one request to an authorization server, its answer included. */
const REQUEST_LIMIT_MS = 15_000;
/** Metadata, tokens and registrations are a few kilobytes. */
const MAX_ANSWER_BYTES = 1024 * 1024;

export interface AuthFetchOptions extends AddressGuardOptions {
  readonly inner: typeof fetch;
  readonly signal?: AbortSignal;
  /** Of one request, in milliseconds. */
  readonly limitMs?: number;
}

/**
 * `fetch` for everything that sign-ins request: metadata, registrations, tokens. It is held to the rules of `addressGuard`,
 * follows no redirects but those that the SDK follows itself, within an origin, and what it reads is small and soon there.
 */
export function authFetch({ inner, signal, limitMs = REQUEST_LIMIT_MS, ...options }: AuthFetchOptions): FetchLike {
  const guard = addressGuard(options);
  const send = async (url: URL, init: RequestInit | undefined): Promise<Response> => {
    const limits = [signal, init?.signal, AbortSignal.timeout(limitMs)].filter((each) => each != null);
    const response = await inner(url, { ...init, redirect: 'manual', signal: AbortSignal.any(limits) });
    const limited = limitBody(response, MAX_ANSWER_BYTES, () => undefined);
    return response.ok || response.body === null ? limited : withoutSent(limited, init);
  };
  return async (input, init) => {
    const url = new URL(input);
    await guard(url);
    try {
      const response = await send(url, init);
      if (!response.ok && !asksForToken(init)) return response;
      // The server itself was asked without an account, and may answer with a stream.
      if (!asksForToken(init)) return url.href === options.serverUrl.href ? response : await jsonAnswer(response);
      if (response.ok) return await asGranted(response, init);
      if (response.status < 400) return response;
      const refusal = await asOAuthError(response);
      const other = refusal.code === 'invalid_client' ? withCredentialsInBody(init) : undefined;
      const again = other && (await send(url, other));
      return again?.ok ? await asGranted(again, other) : refusal;
    } catch (error) {
      throw noAnswerFrom(url.host, error);
    }
  };
}
