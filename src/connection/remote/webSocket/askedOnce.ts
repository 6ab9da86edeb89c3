/** What sends the requests of `fetch` and of WebSockets in Node (undici's `Dispatcher`). */
interface Dispatcher {
  dispatch(options: unknown, handler: unknown): boolean;
}

/** Where Node keeps the one that sends all that names no other; an editor may have put its own there, for its proxy. */
const GLOBAL = Symbol.for('undici.globalDispatcher.1');

/**
 * For the options of a WebSocket: sends one request. Node's WebSocket repeats one that is answered with 401, as it was, as browsers do that may ask for a
 * password (Fetch, *HTTP-network-or-cache fetch*): a second refusal for nothing, and a proof of a key that is used twice.
 * Empty where nothing is known of what sends it.
 */
export function askedOnce(): object {
  const { [GLOBAL]: inner } = globalThis as { [GLOBAL]?: Partial<Dispatcher> };
  if (typeof inner?.dispatch !== 'function') return {};
  const { dispatch } = inner;
  let isAsked = false;
  const dispatcher: Dispatcher = {
    dispatch(options, handler) {
      if (isAsked) throw new Error('The request was refused.');
      isAsked = true;
      return dispatch.call(inner, options, handler);
    },
  };
  return { dispatcher };
}
