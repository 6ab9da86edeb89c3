/** Where an icon comes from, or why from nowhere. */
export type IconAddress = { readonly kind: 'data' } | { readonly kind: 'own'; readonly url: URL };

/**
 * Where an icon may come from: out of the address itself, or from the server that names it, and from nowhere else
 * (specification: *Icons*, *Security considerations*). Any other address would tell a stranger who uses the server, or read a
 * file of this machine. Pure.
 * @param serverUrl of a remote server, where it is reached; absent for all others
 */
export function iconAddress(src: string, serverUrl: string | undefined): IconAddress | undefined {
  if (/^data:image\//i.test(src)) return { kind: 'data' };
  if (serverUrl === undefined || !URL.canParse(src) || !URL.canParse(serverUrl)) return undefined;
  const [url, server] = [new URL(src), new URL(serverUrl)];
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  const isOwn = isWeb && url.origin === server.origin && url.username === '' && url.password === '';
  return isOwn ? { kind: 'own', url } : undefined;
}
