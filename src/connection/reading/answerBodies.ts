import type { FetchLike } from '@modelcontextprotocol/client';
import { LocalFault } from '../protocol/localFault.ts';
import { localErrorResponse } from '../protocol/rpcMessages.ts';
import type { Tolerated } from '../protocol/tolerances.ts';
import { EventReader } from './eventReader.ts';
import type { Inbox } from './inbox.ts';
import { readMessages, type RawMessage } from './readMessages.ts';

/**
 * `fetch` whose answers are read here instead of by the SDK, which drops what isn't right: each message goes into the inbox,
 * and the SDK gets place holders. What can't be read fails the request that it answers.
 * @param kind over HTTP+SSE, messages come in the one stream only
 * @param tolerate told of what is read although it isn't right
 */
export function readAnswers(
  inner: FetchLike,
  inbox: Inbox,
  kind: 'http' | 'sse',
  tolerate: (kind: Tolerated) => void,
): FetchLike {
  return async (url, init) => {
    const response = await inner(url, init);
    if (!response.ok || response.status === 202 || response.status === 204 || !response.body) return response;
    const requestId = requestIn(init);
    const type = mediaType(response);
    if (type === 'text/event-stream') return withBody(response, eventsOf(response, inbox, requestId, tolerate), type);
    if (requestId === undefined || type === 'text/html' || kind === 'sse') return response;
    return bodyOf(response, inbox, requestId, type, tolerate);
  };
}

function mediaType(response: Response): string {
  return (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** The id of the request that is sent; `undefined`: none is. */
function requestIn(init: RequestInit | undefined): (() => string | number | undefined) | undefined {
  const body = init?.body;
  if (init?.method !== 'POST' || typeof body !== 'string' || !/"id":/.test(body)) return undefined;
  return () => idOf(body);
}

function idOf(body: string): string | number | undefined {
  return (JSON.parse(body) as { id?: string | number }).id;
}

/** A body that isn't a stream of events. */
async function bodyOf(
  response: Response,
  inbox: Inbox,
  requestId: () => string | number | undefined,
  type: string,
  tolerate: (kind: Tolerated) => void,
): Promise<Response> {
  const text = await response.text();
  const isJson = type === 'application/json';
  const read = readMessages(text);
  if (read.kind === 'messages') {
    if (!isJson) tolerate('content type');
    const holders = read.messages.map((message) => inbox.put({ message, requestId }));
    return withBody(response, JSON.stringify(holders), 'application/json');
  }
  if (/^\ufeff?(?:event|data|id|retry)?:/.test(text)) {
    tolerate('content type');
    const stream = new Response(text).body?.pipeThrough(eventTransform(inbox, requestId, tolerate)) ?? null;
    return withBody(response, stream, 'text/event-stream');
  }
  if (!isJson && read.kind !== 'unreadable')
    return withBody(response, text, response.headers.get('content-type') ?? '');
  const reason = read.kind === 'unreadable' ? read.reason : text.trim() === '' ? 'it is empty' : 'it is not JSON-RPC';
  return withBody(response, JSON.stringify([inbox.put(failed(requestId, reason))]), 'application/json');
}

function failed(
  requestId: () => string | number | undefined,
  reason: string,
): { readonly message: RawMessage; readonly requestId: () => string | number | undefined } {
  const message = localErrorResponse(requestId() ?? 0, new LocalFault('malformed', { reason }));
  return { message: message as unknown as RawMessage, requestId };
}

function eventsOf(
  response: Response,
  inbox: Inbox,
  requestId: (() => string | number | undefined) | undefined,
  tolerate: (kind: Tolerated) => void,
): ReadableStream | null {
  return response.body?.pipeThrough(eventTransform(inbox, requestId, tolerate)) ?? null;
}

/** Puts place holders in place of the messages of a stream of events. */
function eventTransform(
  inbox: Inbox,
  requestId: (() => string | number | undefined) | undefined,
  tolerate: (kind: Tolerated) => void,
): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const reader = new EventReader((name, data, isCut) => {
    const read = readMessages(data);
    // The standard has it dropped: the answer comes again where the stream can be taken up again.
    if (isCut && read.kind !== 'messages') return [];
    const of = requestId === undefined ? {} : { requestId };
    if (read.kind === 'messages') {
      if (name !== '' && name !== 'message') tolerate('event name');
      return read.messages.map((message) => JSON.stringify(inbox.put({ message, ...of })));
    }
    if (read.kind === 'noise' || (name !== '' && name !== 'message')) return undefined;
    const id = requestId ?? (read.id === undefined ? undefined : () => read.id);
    return id && [JSON.stringify(inbox.put(failed(id, read.reason)))];
  }, tolerate);
  return new TransformStream({
    transform: (chunk, controller) => {
      const text = reader.push(decoder.decode(chunk, { stream: true }));
      if (text !== '') controller.enqueue(encoder.encode(text));
    },
    flush: (controller) => {
      const text = reader.end();
      if (text !== '') controller.enqueue(encoder.encode(text));
    },
  });
}

/** The same response with another body, which has a length and an encoding of its own. */
function withBody(response: Response, body: string | ReadableStream | null, type: string): Response {
  const { status, statusText, url, redirected } = response;
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  headers.delete('content-encoding');
  if (type === '') headers.delete('content-type');
  else headers.set('content-type', type);
  return Object.defineProperties(new Response(body, { status, statusText, headers }), {
    url: { value: url },
    redirected: { value: redirected },
  });
}
