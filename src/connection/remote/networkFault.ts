import { ConnectError } from '../connectionFailure.ts';
import { wasNeverSent } from '../protocol/neverSent.ts';
import { certificateFaultOf, certificateTexts, lookAtCertificate } from './certificateFault.ts';
import { networkCode } from './answers/httpStatus.ts';
import { say } from '../../base/say.ts';

/** Why a server couldn't be reached, or was lost, from a failure of `fetch`: at once, so without a look at its certificate. */
export function networkFailure(url: URL, failure: unknown, cause: unknown = failure): ConnectError {
  const code = networkCode(failure);
  const fault = certificateFaultOf(code, textOf(failure));
  if (fault !== undefined) {
    const { message, remedy } = certificateTexts(url.host, fault, undefined, Date.now());
    return new ConnectError('certificate', message, { remedy, cause });
  }
  const known = code === undefined ? undefined : PERMANENT[code];
  if (known)
    return new ConnectError('unsupported', `${known.message(url.host)} (${code}).`, {
      remedy: known.remedy(url),
      cause,
    });
  // Ports of other protocols, e.g. 6000 and 10080 (https://fetch.spec.whatwg.org/#port-blocking).
  if (/^bad port$/m.test(textOf(failure)))
    return new ConnectError(
      'unsupported',
      say`Port ${url.port} belongs to another protocol, so nothing is sent to it over HTTP.`,
      {
        remedy: say`Have the server listen on another port, and correct the URL.`,
        cause,
      },
    );
  const proxy = /proxy response \((\d+)\)/i.exec(textOf(failure))?.[1];
  if (proxy !== undefined) {
    return new ConnectError('unreachable', say`The proxy refused the connection to ${url.host} (HTTP ${proxy}).`, {
      remedy:
        proxy === '407'
          ? say`Sign in to the proxy: set \`http.proxy\` with a user, or ask its administrator.`
          : PROXY_REMEDY,
      cause,
    });
  }
  const why = code === undefined ? '' : ` (${code})`;
  if (!wasNeverSent(failure)) {
    return new ConnectError('connection-lost', say`The connection to ${url.host} was interrupted${why}.`, {
      ...(url.protocol === 'http:' || url.protocol === 'ws:' ? { remedy: TLS_REMEDY } : {}),
      cause,
    });
  }
  return new ConnectError('unreachable', say`${url.host} can't be reached${why}.`, {
    remedy: unreachableRemedy(url, code),
    cause,
  });
}

/** As `networkFailure`, with what the server's certificate says. */
export async function explainNetwork(url: URL, failure: unknown, cause: unknown): Promise<ConnectError> {
  const fault = certificateFaultOf(networkCode(failure), textOf(failure));
  if (fault === undefined) return networkFailure(url, failure, cause);
  const { message, remedy } = certificateTexts(url.host, fault, await lookAtCertificate(url), Date.now());
  return new ConnectError('certificate', message, { remedy, cause });
}

export const PROXY_REMEDY = say`Allow the address in the proxy, or leave it out of the proxy with \`http.noProxy\`.`;
const TLS_REMEDY = say`If the server is reached over TLS, begin the URL with "https". Else see the server’s own log.`;

/** What stays as it is until somebody changes the definition or the server. */
const PERMANENT: Readonly<
  Record<string, { readonly message: (host: string) => string; readonly remedy: (url: URL) => string }>
> = {
  ERR_SSL_WRONG_VERSION_NUMBER: {
    message: (host) => say`${host} doesn't speak TLS on that port`,
    remedy: ({ protocol }) =>
      say`Begin the URL with "${protocol === 'wss:' ? 'ws://' : 'http://'}" if that is safe there, or correct the port.`,
  },
  ERR_SSL_PACKET_LENGTH_TOO_LONG: {
    message: (host) => say`${host} doesn't speak TLS on that port`,
    remedy: ({ protocol }) =>
      say`Begin the URL with "${protocol === 'wss:' ? 'ws://' : 'http://'}" if that is safe there, or correct the port.`,
  },
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: {
    message: (host) => say`${host} speaks only a version of TLS that is no longer safe`,
    remedy: () => say`The owner of the server must turn on TLS 1.2 or 1.3.`,
  },
  ERR_SSL_UNSUPPORTED_PROTOCOL: {
    message: (host) => say`${host} speaks only a version of TLS that is no longer safe`,
    remedy: () => say`The owner of the server must turn on TLS 1.2 or 1.3.`,
  },
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: {
    message: (host) => say`${host} requires a client certificate, which isn't supported`,
    remedy: () => say`Use another address of the server, or a local proxy that has the certificate.`,
  },
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: {
    message: (host) => say`${host} refused the TLS handshake`,
    remedy: () =>
      say`Check the host name in the URL; the server may require a client certificate, which isn’t supported.`,
  },
};

function unreachableRemedy(url: URL, code: string | undefined): string {
  const port = url.port || (/^(?:https|wss):/.test(url.protocol) ? '443' : '80');
  switch (code) {
    case 'ECONNREFUSED':
      return isLocal(url)
        ? say`Nothing listens on port ${port}: start the server, or correct the port. It is tried again.`
        : say`Nothing listens on port ${port} there: check the URL, and that the server runs.`;
    case 'ENOTFOUND':
      return say`There is no host of that name: check the URL, and the VPN if it is a private one.`;
    case 'EAI_AGAIN':
      return say`The name can’t be looked up now: check the network connection.`;
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return say`It doesn’t answer: check the VPN, the firewall and the proxy settings.`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return say`There is no way to it: check the network connection and the VPN.`;
    default:
      return say`Check that the server runs, the URL, and the proxy settings.`;
  }
}

function isLocal({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

/** The messages of a failure and of what it wraps. */
function textOf(failure: unknown): string {
  const texts: string[] = [];
  for (let at: unknown = failure, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++)
    texts.push(at.message);
  return texts.join('\n');
}
