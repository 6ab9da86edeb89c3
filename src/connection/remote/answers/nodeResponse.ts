import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** These have no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * An answer of Node's own client as `fetch` gives it.
 * @throws TypeError where it is none that `fetch` would give, as with a status of 999
 */
export function nodeResponse(answer: IncomingMessage, url: string): Response {
  const { statusCode: status = 500, statusMessage: statusText = '', rawHeaders } = answer;
  const headers = new Headers();
  try {
    for (let at = 0; at + 1 < rawHeaders.length; at += 2)
      headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
    const isBodiless = BODILESS.has(status);
    if (isBodiless) answer.resume();
    const body = isBodiless ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
    return Object.defineProperty(new Response(body, { status, statusText, headers }), 'url', { value: url });
  } catch (cause) {
    answer.destroy();
    throw new TypeError('fetch failed', { cause });
  }
}
