import { JsonMeter } from '../../../base/json/jsonMeter.ts';
import { MAX_WIDE_CHARS } from '../../../base/json/textWidth.ts';

/** A body, or one event of a stream, is longer than what is read of it. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';

  constructor(bytes: number) {
    super(`over ${bytes} bytes`);
  }
}

/** Longest body of an error that is read, in bytes. */
const MAX_ERROR_BYTES = 1024 * 1024;

/** A shorter body is passed on as it is, in bytes. */
const SHORT_BYTES = 1024 * 1024;

/**
 * The response with a body that fails after `limitBytes`, unpacked, and where it has too much in it (see `JsonMeter`): as
 * a whole, or, where it is a stream of events, per event.
 * @param onTooLarge called before it fails
 */
export function limitBody(response: Response, limitBytes: number, onTooLarge: (bytes: number) => void): Response {
  const { body, headers } = response;
  if (!body) return response;
  const isStream = /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
  const announced = headers.has('content-encoding') ? NaN : Number(headers.get('content-length') ?? NaN);
  if (!isStream && announced <= SHORT_BYTES) return response;
  // In another encoding, each byte may be a character that takes two; events are always read as UTF-8.
  const most = isStream || isUtf8(headers) ? limitBytes : Math.min(limitBytes, MAX_WIDE_CHARS);
  const meter = new JsonMeter();
  const bytesSince = isStream ? eventMeter(() => meter.reset()) : totalMeter();
  const limiter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      const bytes = bytesSince(chunk);
      // Of an event that begins in this piece, only its beginning.
      const isFine = bytes <= most && !meter.push(chunk.subarray(-bytes || chunk.length));
      if (isFine) return controller.enqueue(chunk);
      onTooLarge(bytes);
      controller.error(new BodyTooLarge(most));
    },
  });
  return withBody(response, body.pipeThrough(limiter));
}

function isUtf8(headers: Headers): boolean {
  const named = /charset=["']?([^\s"';]+)/i.exec(headers.get('content-type') ?? '')?.[1];
  return named === undefined || /^utf-?8$/i.test(named);
}

/** The text of an error's body, as far as it is read. */
export async function errorText({ body }: Response): Promise<string> {
  if (!body) return '';
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop gives up the rest.
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > MAX_ERROR_BYTES) break;
  }
  return Buffer.concat(pieces).subarray(0, MAX_ERROR_BYTES).toString('utf8');
}

/** The same response with another body. */
export function withBody(response: Response, body: string | ReadableStream | null): Response {
  const { url, redirected } = response;
  return Object.defineProperties(new Response(body, response), {
    url: { value: url },
    redirected: { value: redirected },
  });
}

function totalMeter(): (chunk: Uint8Array) => number {
  let bytes = 0;
  return ({ length }) => (bytes += length);
}

/** Counts from the last blank line, which ends an event (HTML standard: *Server-sent events*). */
function eventMeter(onEnd: () => void): (chunk: Uint8Array) => number {
  let bytes = 0;
  let before = '';
  return ({ buffer, byteOffset, length }) => {
    const text = before + Buffer.from(buffer, byteOffset, length).toString('latin1');
    const ends = BLANK_LINES.map((line) => [text.lastIndexOf(line), line.length] as const);
    const end = Math.max(...ends.map(([at, size]) => (at < 0 ? -1 : at + size)));
    before = text.slice(1 - LONGEST_BLANK_LINE);
    if (end >= 0) onEnd();
    bytes = end < 0 ? bytes + length : text.length - end;
    return bytes;
  };
}

const BLANK_LINES = ['\n\n', '\r\r', '\r\n\r\n'] as const;
const LONGEST_BLANK_LINE = 4;
