import { MASK } from '../../base/text/secrets.ts';
import type { HttpFrame } from './recordedEvent.ts';

/** Headers of answers that hold no secret; of any other, only the name is kept. */
const HARMLESS = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'transfer-encoding', 'date', 'server', 'via', 'allow'],
  ...['retry-after', 'cache-control', 'connection', 'mcp-protocol-version', 'vary', 'age', 'x-accel-buffering'],
]);
const MAX_HEADERS = 64;
const MAX_CHARS = 200;

const ORIGINALS = new WeakMap<Response, Response>();

/** Notes which answer of the server the SDK gets another one for; gives that one. */
export function standsFor(made: Response, original: Response): Response {
  ORIGINALS.set(made, original);
  return made;
}

/** Gives the frame of an answer, made with the first use: many messages come in one stream. */
export function httpFrameOf(response: Response): () => HttpFrame {
  let frame: HttpFrame | undefined;
  return () => {
    const answer = ORIGINALS.get(response) ?? response;
    return (frame ??= { status: answer.status, headers: headersOf(answer) });
  };
}

function headersOf({ headers }: Response): Readonly<Record<string, string>> {
  const all = [...headers].slice(0, MAX_HEADERS);
  return Object.fromEntries(
    all.map(([name, value]) => [name.slice(0, MAX_CHARS), HARMLESS.has(name) ? value.slice(0, MAX_CHARS) : MASK]),
  );
}
