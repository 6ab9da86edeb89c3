import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { nodeResponse } from '../answers/nodeResponse.ts';

/** Subprotocol that MCP servers over WebSocket expect. */
export const SUBPROTOCOL = 'mcp';
/** Of one request. */
const TIMEOUT_MS = 3000;

/** The server opens a WebSocket for this request, and the platform's own WebSocket failed before. */
export class UpgradeAccepted extends Error {
  override readonly name = 'UpgradeAccepted';
}

/**
 * Asks for a WebSocket once more, to see why it is refused: a WebSocket doesn't tell, and `fetch` can't ask for one.
 * @returns rejects with `UpgradeAccepted`, or a TypeError as `fetch` does where there is no answer
 */
export function refusedUpgrade(url: URL, headers: Readonly<Record<string, string>>): Promise<Response> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      // No connection of before, and none is kept.
      agent: false,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        ...headers,
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
        'Sec-WebSocket-Protocol': SUBPROTOCOL,
      },
    });
    asked.once('upgrade', (_answer, socket) => {
      socket.destroy();
      reject(new UpgradeAccepted());
    });
    asked.once('response', (answer) => {
      try {
        resolve(nodeResponse(answer, url.href));
      } catch (error) {
        reject(error);
      }
    });
    asked.on('error', (error) => reject(new TypeError('fetch failed', { cause: error })));
    asked.end();
  });
}
