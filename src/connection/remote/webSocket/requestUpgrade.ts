import { createHash, randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { nodeResponse } from '../answers/nodeResponse.ts';

/** Subprotocol that MCP servers over WebSocket expect. */
const SUBPROTOCOL = 'mcp';
/** What every server answers a key with (RFC 6455, section 1.3). */
const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
/** How long what a refusal says may take. */
const REFUSAL_MS = 3000;

/** The server opens what isn't a WebSocket. */
export class UnusableUpgrade extends Error {
  override readonly name = 'UnusableUpgrade';
}

/** A connection that is a WebSocket from now on, and what has come on it already. */
export interface Upgraded {
  readonly socket: Duplex;
  readonly head: Buffer;
}

/**
 * Asks for a WebSocket (RFC 6455, section 4.1). The platform's own one neither tells why it is refused, nor can be paused,
 * nor be closed where the server doesn't want to, and `fetch` can't ask for one.
 * @returns the answer where it is refused; rejects with UnusableUpgrade, or a TypeError as `fetch` does where there is none
 */
export function requestUpgrade(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Upgraded | Response> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const key = randomBytes(16).toString('base64');
  return new Promise((resolve, reject) => {
    const ask = (isAgain: boolean): void => {
      let isAnswered = false;
      // With an agent of its own, it would pass by the proxy that the editor is set to.
      const asked = request(url, {
        headers: {
          ...headers,
          Connection: 'Upgrade',
          Upgrade: 'websocket',
          'Sec-WebSocket-Version': '13',
          'Sec-WebSocket-Key': key,
          'Sec-WebSocket-Protocol': SUBPROTOCOL,
        },
      });
      const abort = (): unknown => asked.destroy(new Error('no longer wanted'));
      signal.addEventListener('abort', abort, { once: true });
      const settled = (): void => {
        isAnswered = true;
        signal.removeEventListener('abort', abort);
      };
      asked.once('upgrade', ({ headers: answered }, socket, head) => {
        settled();
        const { upgrade = '', 'sec-websocket-accept': accept, 'sec-websocket-protocol': protocol } = answered;
        const isRight = accept === acceptOf(key) && upgrade.toLowerCase() === 'websocket';
        const isPlain = answered['sec-websocket-extensions'] === undefined;
        if (isRight && isPlain && (protocol ?? SUBPROTOCOL) === SUBPROTOCOL) return resolve({ socket, head });
        socket.destroy();
        reject(new UnusableUpgrade());
      });
      asked.once('response', (answer) => {
        settled();
        if (answer.statusCode === 101) {
          answer.destroy();
          return reject(new UnusableUpgrade());
        }
        const timer = setTimeout(() => answer.destroy(new Error('no end')), REFUSAL_MS);
        answer.once('close', () => clearTimeout(timer));
        try {
          resolve(nodeResponse(answer, url.href));
        } catch (error) {
          reject(error);
        }
      });
      asked.on('error', (error: NodeJS.ErrnoException) => {
        // A connection of before may have ended meanwhile.
        const isStale = asked.reusedSocket && error.code === 'ECONNRESET' && !isAnswered;
        settled();
        if (isStale && !isAgain) return ask(true);
        reject(new TypeError('fetch failed', { cause: error }));
      });
      asked.end();
    };
    ask(false);
  });
}

function acceptOf(key: string): string {
  return createHash('sha1')
    .update(key + MAGIC)
    .digest('base64');
}
