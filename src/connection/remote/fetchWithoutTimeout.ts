import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { isRecord } from '../../base/json.ts';

/** How long answers and streams of these requests may be silent, in milliseconds; 0: for ever. */
const silence = new AsyncLocalStorage<number>();
let watching = false;

/**
 * `fetch` without undici's limits of 300 s, which would end a silent call and an idle event stream: a call has its own
 * time-out, and streams have none (design: *Connections*).
 *
 * A dispatcher of ours would not work: the editor's `fetch` replaces it to add a proxy or certificates. But every undici
 * publishes each request, with its limits, on a diagnostics channel
 * (https://undici.nodejs.org/#/docs/api/DiagnosticsChannel); a `fetch` that isn't undici's has no limits.
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
