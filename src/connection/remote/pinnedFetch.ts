import { Agent, request as httpsRequest } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { nodeResponse } from './answers/nodeResponse.ts';

/** The code of a failure: the server has another certificate. */
export const OTHER_CERTIFICATE = 'OTHER_CERTIFICATE';

/**
 * `fetch` that trusts one certificate at one origin, by its fingerprint, and nothing else there: who signed it, for which
 * name and until when doesn't matter. Nothing is sent before the certificate is known. The fetch of the platform can't do
 * that: it has no option for it, and the editor replaces its dispatcher. Other origins go to `inner`. Redirects are answers:
 * the SDK follows them itself.
 * @param fingerprint SHA-256, 64 hexadecimal digits in upper case
 */
export function pinnedFetch(inner: typeof fetch, url: string, fingerprint: string): typeof fetch {
  const { origin, protocol } = new URL(url);
  if (protocol !== 'https:') return inner;
  // A resumed session of TLS may not show the certificate.
  const trusted = new WeakSet<object>();
  const agent = new Agent({ keepAlive: true, maxCachedSessions: 0, rejectUnauthorized: false });
  return (input, init) => {
    const request = new Request(input, init);
    return new URL(request.url).origin === origin
      ? sendPinned(request, { agent, fingerprint, trusted })
      : inner(request);
  };
}

interface Pin {
  readonly agent: Agent;
  readonly fingerprint: string;
  /** Sockets to a server that has the certificate. */
  readonly trusted: WeakSet<object>;
}

async function sendPinned(request: Request, { agent, fingerprint, trusted }: Pin): Promise<Response> {
  const { signal, method } = request;
  signal.throwIfAborted();
  const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
  const headers = { ...Object.fromEntries(request.headers), 'accept-encoding': 'identity' };
  return new Promise<Response>((resolve, reject) => {
    const sent = httpsRequest(request.url, { agent, method, headers, rejectUnauthorized: false });
    const abort = (): void => void sent.destroy(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    sent.once('close', () => signal.removeEventListener('abort', abort));
    sent.once('error', (error) =>
      reject(signal.aborted ? (signal.reason as Error) : new TypeError('fetch failed', { cause: error })),
    );
    sent.once('response', (answer) => {
      try {
        resolve(nodeResponse(answer, request.url));
      } catch (error) {
        reject(error);
      }
    });
    sent.once('socket', (socket) => {
      // Used again.
      if (trusted.has(socket)) return void sent.end(body);
      socket.once('secureConnect', () => {
        const found = (socket as TLSSocket).getPeerX509Certificate()?.fingerprint256.replaceAll(':', '');
        if (found !== fingerprint)
          return void sent.destroy(
            Object.assign(new Error('It has another certificate.'), { code: OTHER_CERTIFICATE }),
          );
        trusted.add(socket);
        sent.end(body);
      });
    });
  });
}
