import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { isRecord } from '../../base/json/json.ts';

/** What is known of one request while it is sent. */
interface Sending {
  /** How long its answer and the streams of that may be silent, in milliseconds; 0: for ever. */
  readonly silenceMs: number;
  isSent: boolean;
}

const sending = new AsyncLocalStorage<Sending>();
let watching = false;

/**
 * `fetch` without undici's limits of 300 s, which would end a silent call and an idle event stream: a call has its own
 * time-out, and streams have none (design: *Connections*). And without what `fetch` does by itself after a 421: it sends
 * the request again (Fetch standard: *HTTP-network-or-cache fetch*), though the server may have acted on it.
 *
 * A dispatcher of ours would not work: the editor's `fetch` replaces it to add a proxy or certificates. But every undici
 * publishes each request, with its limits, on a diagnostics channel
 * (https://undici.nodejs.org/#/docs/api/DiagnosticsChannel); a `fetch` that isn't undici's has no limits.
 *
 * @param silenceMs for tests: another limit
 */
export function fetchWithoutTimeout(inner: typeof fetch, silenceMs: number = 0): typeof fetch {
  return (input, init) => {
    if (!watching) subscribe('undici:request:create', onRequest);
    watching = true;
    return sending.run({ silenceMs, isSent: false }, () => inner(input, init));
  };
}

function onRequest(message: unknown): void {
  const store = sending.getStore();
  if (store === undefined || !isRecord(message) || !isRecord(message['request'])) return;
  const { request } = message;
  request['headersTimeout'] = store.silenceMs;
  request['bodyTimeout'] = store.silenceMs;
  if (request['method'] !== 'POST') return;
  // undici ends a request that has an error before it writes it.
  if (store.isSent) request['error'] = new Error('The request was sent already.');
  store.isSent = true;
}
