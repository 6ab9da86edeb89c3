import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { isRecord } from '../../base/json.ts';

/** How long an answer or a stream of the requests made in here may be silent, in milliseconds; 0: for ever. */
const silence = new AsyncLocalStorage<number>();
let watching = false;

/**
 * `fetch` without undici's limits of 300 s, which would end a silent call and an idle event stream: what a call may
 * take is for its own time-out to say, and streams have none (design: *Connections*).
 *
 * A dispatcher of our own is not the way: where the editor adds a proxy or certificates, its `fetch` puts one of its own
 * in its place. Every undici tells of each request that it makes on a diagnostics channel
 * (https://undici.nodejs.org/#/docs/api/DiagnosticsChannel), with the limits on it; a `fetch` that isn't undici's has
 * none.
 *
 * @param silenceMs for tests: another limit
 */
export function fetchWithoutTimeout(inner: typeof fetch, silenceMs: number = 0): typeof fetch {
  return (input, init) => {
    if (!watching) subscribe('undici:request:create', lift);
    watching = true;
    return silence.run(silenceMs, () => inner(input, init));
  };
}

function lift(message: unknown): void {
  const silenceMs = silence.getStore();
  if (silenceMs === undefined || !isRecord(message) || !isRecord(message['request'])) return;
  const { request } = message;
  request['headersTimeout'] = silenceMs;
  request['bodyTimeout'] = silenceMs;
}
