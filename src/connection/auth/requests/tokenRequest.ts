import type { FetchLike } from '@modelcontextprotocol/client';
import { isRecord } from '../../../base/json/json.ts';
import { parsed, withoutNothing } from './jsonAnswer.ts';
import { saidIn } from '../../remote/answers/answerText.ts';
import { withoutSent } from './sentSecrets.ts';
import { withBody } from '../../remote/answers/limitedBody.ts';

/** Whether a request asks for a token (RFC 6749, section 4). */
export function asksForToken(init: RequestInit | undefined): init is RequestInit & { readonly body: URLSearchParams } {
  return init?.body instanceof URLSearchParams && init.body.has('grant_type');
}

/**
 * Token requests that are refused once are refused when they are repeated, unasked: the SDK does that with the same client,
 * and who is asked again and again may lock the client out. Another nonce (RFC 9449, section 8) is another request.
 */
export function withoutRepeats(inner: FetchLike): FetchLike {
  const refusals = new Map<string, Response>();
  return async (input, init) => {
    if (!asksForToken(init)) return inner(input, init);
    const { body }: { readonly body: URLSearchParams } = init;
    const asked = `${String(input)} ${body.get('grant_type')}`;
    const refusal = refusals.get(asked);
    if (refusal) return refusal.clone();
    const response = await inner(input, init);
    const isFinal = response.status >= 400 && response.status < 500 && !response.headers.has('dpop-nonce');
    if (isFinal) refusals.set(asked, response.clone());
    return response;
  };
}

/**
 * What was granted, in the form of RFC 6749, section 5.1, also where it came one level deeper, in one place: as Slack has it in
 * `authed_user`, and Feishu in `data`.
 * @param sent what it answers; a refusal that comes with a status of success is without the secrets of that
 */
export async function asGranted(response: Response, sent: RequestInit | undefined): Promise<Response> {
  if (response.body === null) return response;
  const text = await response.text();
  const read = parsed(text);
  if (!isRecord(read)) return withBody(response, text);
  const body = withoutNothing(read);
  // No other one than before (RFC 6749, section 6), as where there is none.
  if (body['refresh_token'] === '') delete body['refresh_token'];
  if ('access_token' in body) return withBody(response, JSON.stringify(body));
  const [within, ...others] = Object.values(body).filter((each) => isRecord(each) && 'access_token' in each);
  // A refusal, whatever its status.
  if (!within && 'error' in body) return withoutSent(withBody(response, text), sent);
  return withBody(response, isRecord(within) && others.length === 0 ? JSON.stringify({ ...body, ...within }) : text);
}

/**
 * A refusal of a token request in the form of RFC 6749, section 5.2, whatever form it came in: with the server's own sentence.
 * Says nothing of the grant or the client where the server didn't, or failed itself (RFC 9110, section 15.6): that has
 * statuses of 400 and 401.
 */
export async function asOAuthError(response: Response): Promise<Response & { readonly code: string }> {
  const text = await response.text();
  const body = parsed(text);
  if (isRecord(body) && typeof body['error'] === 'string' && response.status < 500)
    return Object.assign(withBody(response, text), { code: body['error'] });
  const said = saidIn(text) ?? `HTTP ${response.status}`;
  const error = JSON.stringify({ error: 'server_error', error_description: said });
  return Object.assign(withBody(response, error), { code: 'server_error' });
}

/**
 * The same request with the client's credentials in its body (RFC 6749, section 2.3.1): some servers read them nowhere else,
 * whatever their metadata says. `undefined` where they aren't in the header.
 */
export function withCredentialsInBody(init: RequestInit & { readonly body: URLSearchParams }): RequestInit | undefined {
  const headers = new Headers(init.headers);
  const [, encoded = ''] = /^basic\s+(\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  const [id = '', secret] = Buffer.from(encoded, 'base64').toString('utf8').split(/:(.*)/s);
  if (secret === undefined) return undefined;
  headers.delete('authorization');
  const body = new URLSearchParams(init.body);
  body.set('client_id', id);
  body.set('client_secret', secret);
  return { ...init, headers, body };
}
