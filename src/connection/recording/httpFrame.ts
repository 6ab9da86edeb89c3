import { MASK } from '../../base/text/secrets.ts';
import type { HttpFrame } from './recordedEvent.ts';

/** Headers of answers that hold no secret; of any other, only the name is kept. */
const HARMLESS = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'transfer-encoding', 'date', 'server', 'via', 'allow'],
  ...['retry-after', 'cache-control', 'connection', 'mcp-protocol-version', 'vary', 'age', 'x-accel-buffering'],
]);
const MAX_HEADERS = 24;
/** A longer name is left out. */
const MAX_NAME = 60;
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
  const all = [...headers].filter(([name]) => name.length <= MAX_NAME).slice(0, MAX_HEADERS);
  return Object.fromEntries(all.map(([name, value]) => [name, HARMLESS.has(name) ? beginningOf(value) : MASK]));
}

/** A copy: a part of a text holds all of it in memory. Values of headers are of bytes. */
function beginningOf(value: string): string {
  return value.length <= MAX_CHARS ? value : Buffer.from(value.slice(0, MAX_CHARS), 'latin1').toString('latin1');
}
