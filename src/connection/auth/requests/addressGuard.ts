import { say } from '../../../base/say.ts';
import { lookup } from 'node:dns/promises';
import { request } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { isConfidential, mayLeadTo, reachOf, reachOfHost, type Reach } from './addressRules.ts';

/** How long a server may take to show its certificate. */
const CERTIFICATE_MS = 3000;
/** A name may have more than a server has. */
const MAX_ADDRESSES = 8;

/** An address that metadata gave and that no request is sent to. The SDK passes on this kind of error as it is. */
export class RefusedAddress extends TypeError {
  override readonly name = 'RefusedAddress';
}

export interface AddressGuardOptions {
  /** The server whose metadata says where to sign in. */
  readonly serverUrl: URL;
  /** The addresses that a name stands for; by default the system's. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
  /** Whether the server is at an address, shown by its certificate; by default asked there. */
  readonly answersAt?: (serverUrl: URL, address: string) => Promise<boolean>;
}

/**
 * Judges addresses that a server, or whoever answers in its place, chose: encrypted, or on this machine; not nearer to this
 * machine than the server is itself (SSRF). Whose name it is decides what it stands for, and may change that between two
 * look-ups (DNS rebinding). So a server is near where it answers there with a certificate for its name; and a request that a
 * changed name leads elsewhere ends at the certificate of whoever is there, before anything is sent. A proxy that resolves
 * names itself gets past the second rule.
 * @returns rejects with `RefusedAddress`
 */
export function addressGuard({
  serverUrl,
  resolve = addressesOf,
  answersAt = showsCertificateAt,
}: AddressGuardOptions): (url: URL) => Promise<void> {
  let server: Promise<Reach> | undefined;
  return async (url) => {
    if (!isConfidential(url)) throw new RefusedAddress(say`${shown(url)} is not encrypted`);
    if (url.origin === serverUrl.origin) return;
    const to = nearest(await reachesOf(url.hostname, resolve));
    if (to === 'public') return;
    server ??= reachOfServer(serverUrl, resolve, answersAt);
    if (!mayLeadTo(await server, to))
      throw new RefusedAddress(say`${shown(url)} is on ${to === 'local' ? say`this machine` : say`a private network`}`);
  };
}

function shown({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

/** Of a name with several addresses, the nearest counts for what metadata leads to … */
function nearest(reaches: readonly Reach[]): Reach {
  return reaches.includes('local') ? 'local' : reaches.includes('private') ? 'private' : 'public';
}

/** … and the farthest for the server, which may not gain by having a near one, nor by a name that says so. */
async function reachOfServer(
  serverUrl: URL,
  resolve: NonNullable<AddressGuardOptions['resolve']>,
  answersAt: NonNullable<AddressGuardOptions['answersAt']>,
): Promise<Reach> {
  const written = reachOfHost(serverUrl.hostname);
  if (written) return written;
  const addresses = await resolve(serverUrl.hostname).catch(() => []);
  if (serverUrl.protocol !== 'https:' || addresses.some((address) => reachOf(address) === 'public')) return 'public';
  const own = await Promise.all(
    addresses
      .slice(0, MAX_ADDRESSES)
      .map(async (address) => ((await answersAt(serverUrl, address)) ? reachOf(address) : undefined)),
  );
  return own.includes('private') ? 'private' : own.includes('local') ? 'local' : 'public';
}

async function reachesOf(
  hostname: string,
  resolve: NonNullable<AddressGuardOptions['resolve']>,
): Promise<readonly Reach[]> {
  const written = reachOfHost(hostname);
  // Behind a proxy, names may be unknown here; then the proxy decides what can be reached.
  return written ? [written] : (await resolve(hostname).catch(() => [])).map(reachOf);
}

async function addressesOf(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

/**
 * Nobody else has a certificate for the server's name, whatever address that name is made to stand for. Without an answer in
 * time the server isn't there. Asked as the editor asks: only its `https` trusts the system's certificates and takes its proxy, not
 * `tls.connect`. The request is never ended, so nothing is sent.
 */
function showsCertificateAt({ hostname, port }: URL, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(CERTIFICATE_MS);
    // With an agent of its own, it would pass by the proxy that the editor is set to.
    const asked = request({ method: 'HEAD', host, port: Number(port || 443), servername: hostname, signal });
    const end = (isThere: boolean): void => {
      resolve(isThere);
      asked.destroy();
    };
    asked.once('socket', (connection) => {
      const socket = connection as TLSSocket;
      const judge = (): void => end(socket.authorized);
      // An agent may give a socket that is connected already.
      if (socket.authorized) judge();
      else socket.once('secureConnect', judge);
    });
    asked.on('error', () => end(false));
  });
}
