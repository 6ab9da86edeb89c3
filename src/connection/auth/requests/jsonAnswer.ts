import { isRecord } from '../../../base/json/json.ts';
import { withBody } from '../../remote/answers/limitedBody.ts';

/**
 * An answer that is to be JSON. A page in its place is what sites with an application say to every address: nothing is there.
 */
export async function jsonAnswer(response: Response): Promise<Response> {
  if (response.body === null) return response;
  const text = await response.text();
  const body = parsed(text);
  if (isRecord(body)) return withBody(response, JSON.stringify(withoutNothing(body)));
  return /^\s*</.test(text) ? new Response(null, { status: 404 }) : withBody(response, text);
}

/** Without members that are `null`, which some write for those that there are none of (RFC 6749, section 5.1, and RFC 7591 leave them out). */
export function withoutNothing(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** `undefined` where it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
