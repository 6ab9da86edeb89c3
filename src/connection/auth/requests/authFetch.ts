import { lookup } from 'node:dns/promises';
import type { FetchLike } from '@modelcontextprotocol/client';
import { limitBody } from '../../remote/answers/limitedBody.ts';
import { withoutSent } from './sentSecrets.ts';
import { asGranted, asksForToken, asOAuthError, withCredentialsInBody } from './tokenRequest.ts';
import { isConfidential, mayLeadTo, reachOf, reachOfHost, type Reach } from './addressRules.ts';

/** Time of one request to an authorization server, its answer included. */
const REQUEST_TIMEOUT_MS = 15_000;
/** Metadata, tokens and registrations are a few kilobytes. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** An address that metadata gave and that no request is sent to. The SDK passes on this kind of error as it is. */
export class RefusedAddress extends TypeError {
  override readonly name = 'RefusedAddress';
}

export interface AuthFetchOptions {
  readonly inner: typeof fetch;
  /** The server whose metadata says where to sign in. */
  readonly serverUrl: URL;
  readonly signal?: AbortSignal;
  /** The addresses that a name stands for; by default the system's. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
}

/**
 * Judges addresses that a server, or whoever answers in its place, chose: encrypted, or on this machine; not nearer to this
 * machine than the server is itself (SSRF). A proxy or a name that changes its address between the look-up and the request
 * gets past the second rule.
 * @returns rejects with `RefusedAddress`
 */
export function addressGuard({
  serverUrl,
  resolve = addressesOf,
}: Pick<AuthFetchOptions, 'serverUrl' | 'resolve'>): (url: URL) => Promise<void> {
  let server: Promise<Reach> | undefined;
  return async (url) => {
    if (!isConfidential(url)) throw new RefusedAddress(`${shown(url)} is not encrypted`);
    if (url.origin === serverUrl.origin) return;
    server ??= farthest(serverUrl.hostname, resolve);
    const [from, to] = await Promise.all([server, nearest(url.hostname, resolve)]);
    if (!mayLeadTo(from, to))
      throw new RefusedAddress(`${shown(url)} is on ${to === 'local' ? 'this machine' : 'a private network'}`);
  };
}

/**
 * `fetch` for everything that sign-ins request: metadata, registrations, tokens. It is held to the rules of `addressGuard`,
 * follows no redirects but those that the SDK follows itself, within an origin, and what it reads is small and soon there.
 */
export function authFetch({ inner, signal, ...options }: AuthFetchOptions): FetchLike {
  const guard = addressGuard(options);
  const send = async (url: URL, init: RequestInit | undefined): Promise<Response> => {
    const limits = [signal, init?.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)].filter((each) => each != null);
    const response = await inner(url, { ...init, redirect: 'manual', signal: AbortSignal.any(limits) });
    const limited = limitBody(response, MAX_ANSWER_BYTES, () => undefined);
    return response.ok || response.body === null ? limited : withoutSent(limited, init);
  };
  return async (input, init) => {
    const url = new URL(input);
    await guard(url);
    const response = await send(url, init);
    if (!asksForToken(init)) return response;
    if (response.ok) return asGranted(response, init);
    if (response.status < 400) return response;
    const refusal = await asOAuthError(response);
    const other = refusal.code === 'invalid_client' ? withCredentialsInBody(init) : undefined;
    const again = other && (await send(url, other));
    return again?.ok ? asGranted(again, other) : refusal;
  };
}

function shown({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

/** Of a name with several addresses, the nearest counts for what metadata leads to … */
async function nearest(hostname: string, resolve: NonNullable<AuthFetchOptions['resolve']>): Promise<Reach> {
  const reaches = await reachesOf(hostname, resolve);
  return reaches.includes('local') ? 'local' : reaches.includes('private') ? 'private' : 'public';
}

/** … and the farthest for the server, which may not gain by having a near one. */
async function farthest(hostname: string, resolve: NonNullable<AuthFetchOptions['resolve']>): Promise<Reach> {
  const reaches = await reachesOf(hostname, resolve);
  return reaches.includes('public') ? 'public' : reaches.includes('private') ? 'private' : 'local';
}

async function reachesOf(
  hostname: string,
  resolve: NonNullable<AuthFetchOptions['resolve']>,
): Promise<readonly Reach[]> {
  const written = reachOfHost(hostname);
  if (written) return [written];
  // Behind a proxy, names may be unknown here; then the proxy decides what can be reached.
  const addresses = await resolve(hostname).catch(() => []);
  return addresses.length === 0 ? ['public'] : addresses.map(reachOf);
}

async function addressesOf(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}
