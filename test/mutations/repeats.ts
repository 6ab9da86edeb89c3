import type { Rows } from './edit.ts';

/** A call runs at most as often as it was allowed. */
export const repeats: Rows = {
  'A write is answered with a fault after the server has acted on it': [
    ['src/calls/scheduling/callSender.ts', 'return safeToRepeat && PASSING_STATUS', 'return PASSING_STATUS'],
  ],
  'A write is in flight when another stream of its connection is lost': [
    ['src/connection/session/requests/requestFailure.ts', 'if (wasNeverSent(cause)) {', 'if (true) {'],
  ],
  'A write isn’t answered in time': [
    ['src/calls/scheduling/callSender.ts', 'return !writes && attempt === 1;', 'return true;'],
  ],
  'A server is gone before a call is sent, or between two attempts': [
    ['src/calls/scheduling/callSender.ts', 'throw effects.writes ? (inDoubt ?? error) : error;', 'throw error;'],
  ],
  'A call is redirected after the server has acted on it': [
    [
      'src/connection/remote/followedRedirects.ts',
      'if (!isRedirect(response.status)) return response;',
      'return response;',
    ],
  ],
  'A server says that the headers of a call don’t fit, after it has acted on it': [
    ['src/connection/protocol/guard/answerReader.ts', 'if (isMismatch) return', 'if (false) return'],
  ],
  'A process, an event stream or a WebSocket ends while a write is in flight': [
    ['src/calls/scheduling/callSender.ts', 'return safeToRepeat;', 'return true;'],
  ],
  // Nothing sends it again: something has to be put in.
  'A request for a resource is answered with a fault after the server has acted on it': [
    [
      'src/calls/itemCalls.ts',
      'return session.request(method, whole, this.#ports.callTimeoutMs(serverId), options);',
      'const again = () => session.request(method, whole, this.#ports.callTimeoutMs(serverId), options);\n      return again().catch(again);',
    ],
  ],
  'A server or a tool is changed while a call waits, or between two attempts': [
    ['src/calls/broker.ts', 'this.#checkUnchanged(tool, fingerprint)', 'undefined'],
  ],
  'A connection that was made ends with an error of the network': [
    [
      'src/connection/protocol/neverSent.ts',
      "return syscall === 'connect' ||",
      "return typeof code === 'string' || syscall === 'connect' ||",
    ],
  ],
};
