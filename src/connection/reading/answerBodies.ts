import type { FetchLike } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/json/json.ts';
import { LocalFault } from '../protocol/localFault.ts';
import { localErrorResponse } from '../protocol/rpcMessages.ts';
import type { Tolerated } from '../protocol/guard/tolerances.ts';
import { httpFrameOf } from '../recording/httpFrame.ts';
import type { HttpFrame } from '../recording/recordedEvent.ts';
import { EventReader } from './eventReader.ts';
import type { Inbox, InboxMessage } from './inbox.ts';
import { inSlices } from '../../base/timeSlices.ts';
import { readMessageSteps, type RawMessage } from './readMessages.ts';

/** An answer with a status of success, to a request. */
interface GivenBody {
  readonly init: RequestInit | undefined;
  readonly response: Response;
  readonly text: string;
  /** It is a message: with a result, or with an error. */
  readonly message?: 'result' | 'error';
  /** Why it can't be read. */
  readonly reason?: string;
}

/** The reason of an answer that is an event which tells an error; its text has the server's sentence. */
export const ERROR_EVENT = 'it is an error';

/** What the request fails with; `undefined`: the answer is passed on. */
export type JudgeBody = (body: GivenBody) => LocalFault | undefined;

/** Where an answer comes from. */
interface Source {
  readonly http: () => HttpFrame;
  readonly response: Response;
  /** The id of the request. */
  readonly requestId: () => string | number | undefined;
  /** `text` of one message or of the body. */
  readonly judge: (given: Pick<GivenBody, 'text' | 'message' | 'reason'>) => LocalFault | undefined;
}

export interface ReadOptions {
  readonly inbox: Inbox;
  /** Over HTTP+SSE, messages come in the one stream only. */
  readonly kind: 'http' | 'sse';
  /** Says what an answer means that holds no result. */
  readonly judge: JudgeBody;
  /** Told of a request that was accepted without an answer: whether it can still come on another stream. */
  readonly mayComeLater: (requestId: () => string | number | undefined) => boolean;
  /** Told of each event of a stream. */
  readonly onEvent: (name: string, data: string) => void;
  /** Told of what is read although it isn't right. */
  readonly tolerate: (kind: Tolerated) => void;
}

/**
 * `fetch` whose answers are read here instead of by the SDK, which drops what isn't right: each message goes into the inbox,
 * and the SDK gets place holders. What can't be read fails the request that it answers.
 */
export function readAnswers(inner: FetchLike, options: ReadOptions): FetchLike {
  const { kind, judge, mayComeLater } = options;
  return async (url, init) => {
    const response = await inner(url, init);
    if (!response.ok) return response;
    const requestId = requestIn(init);
    const http = httpFrameOf(response);
    const source: Source | undefined = requestId && {
      http,
      response,
      requestId,
      judge: (given) => judge({ init, response, ...given }),
    };
    if (isEmpty(response)) {
      if (!source || kind === 'sse' || (response.status === 202 && mayComeLater(source.requestId))) return response;
      return bodyOf(source, '', options);
    }
    const type = mediaType(response);
    if (type === 'text/event-stream') return withBody(response, eventsOf(response, source, http, options), type);
    if (!source || kind === 'sse') return response;
    return bodyOf(source, type, options);
  };
}

/** No answer is in it; what is read in spite of a 202 has another status here. */
function isEmpty(response: Response): boolean {
  return response.status === 202 || response.status === 204 || !response.body;
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
async function bodyOf(source: Source, type: string, options: ReadOptions): Promise<Response> {
  const { response } = source;
  const { inbox, tolerate } = options;
  const text = await textOf(response);
  const isJson = type === 'application/json';
  const read = await inSlices(readMessageSteps(text));
  if (read.kind === 'messages') {
    if (!isJson) tolerate('content type');
    const { http } = source;
    const only = read.messages.length === 1 ? text : undefined;
    const holders = read.messages.map((message) => inbox.put({ http, text: only, ...judged(message, text, source) }));
    return withBody(response, JSON.stringify(holders), 'application/json');
  }
  if (/^\ufeff?(?:event|data|id|retry)?:/.test(text)) {
    tolerate('content type');
    const stream = new Response(text).body?.pipeThrough(eventTransform(source, source.http, options)) ?? null;
    return withBody(response, stream, 'text/event-stream');
  }
  const reason = read.kind === 'unreadable' ? { reason: read.reason } : {};
  const fault = source.judge({ text, ...reason }) ?? new LocalFault('malformed', reason);
  return withBody(response, JSON.stringify([inbox.put(failed(source.requestId, fault))]), 'application/json');
}

/** In the encoding that the answer names, which should be UTF-8; piece by piece, since what isn't valid takes long. */
async function textOf(response: Response): Promise<string> {
  const decoder = decoderOf(response);
  const texts: string[] = [];
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>)
    texts.push(decoder.decode(piece, { stream: true }));
  return [...texts, decoder.decode()].join('');
}

function decoderOf(response: Response): InstanceType<typeof TextDecoder> {
  const named = /charset=["']?([\w.:-]+)/i.exec(response.headers.get('content-type') ?? '')?.[1];
  try {
    return new TextDecoder(named);
  } catch {
    return new TextDecoder();
  }
}

/** The message, or the fault that its request fails with. */
function judged(message: RawMessage, text: string, source: Source | undefined): InboxMessage {
  if (!source) return { message };
  const { requestId, judge } = source;
  if (!('result' in message || 'error' in message)) return { message, requestId };
  const fault = judge({ text, message: isError(message) ? 'error' : 'result' });
  return fault ? { ...failed(requestId, fault), came: message } : { message, requestId };
}

function isError(message: RawMessage): boolean {
  return isRecord(message['error']) && !isRecord(message['result']);
}

function failed(requestId: () => string | number | undefined, fault: LocalFault): InboxMessage {
  const message = localErrorResponse(requestId() ?? 0, fault);
  return { message: message as unknown as RawMessage, requestId };
}

function eventsOf(
  response: Response,
  source: Source | undefined,
  http: () => HttpFrame,
  options: ReadOptions,
): ReadableStream | null {
  return response.body?.pipeThrough(eventTransform(source, http, options)) ?? null;
}

/** Puts place holders in place of the messages of a stream of events. */
function eventTransform(
  source: Source | undefined,
  http: () => HttpFrame,
  { inbox, onEvent, tolerate }: ReadOptions,
): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const reader = new EventReader(function* (name, data, isCut) {
    onEvent(name, data);
    const read = yield* readMessageSteps(data);
    // The standard has it dropped: the answer comes again where the stream can be taken up again.
    if (isCut && read.kind !== 'messages') return [];
    if (read.kind === 'messages') {
      if (name !== '' && name !== 'message') tolerate('event name');
      const text = read.messages.length === 1 ? data : undefined;
      return read.messages.map((message) =>
        JSON.stringify(inbox.put({ http, text, ...judged(message, data, source) })),
      );
    }
    // Some servers tell why there is no answer in an event of that name.
    if (name === 'error' && source) {
      const fault = source.judge({ text: data, reason: ERROR_EVENT }) ?? new LocalFault('malformed');
      return [JSON.stringify(inbox.put(failed(source.requestId, fault)))];
    }
    if (read.kind === 'noise' || (name !== '' && name !== 'message')) return undefined;
    const id = source?.requestId ?? (read.id === undefined ? undefined : () => read.id);
    const { reason } = read;
    return id && [JSON.stringify(inbox.put(failed(id, new LocalFault('malformed', { reason }))))];
  }, tolerate);
  return new TransformStream({
    transform: async (chunk, controller) => {
      const text = await inSlices(reader.push(decoder.decode(chunk, { stream: true })));
      if (text !== '') controller.enqueue(encoder.encode(text));
    },
    flush: async (controller) => {
      const text = await inSlices(reader.end());
      if (text !== '') controller.enqueue(encoder.encode(text));
    },
  });
}

/** The same response with another body, which has a length and an encoding of its own. */
function withBody(response: Response, body: string | ReadableStream | null, type: string): Response {
  const { statusText, url, redirected } = response;
  // What can have no body, has one here.
  const status = isEmpty(response) ? 200 : response.status;
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
