import type { ConfigSource } from '../configTypes.ts';

/** The source that a configured address is; `undefined` where it isn't one that may be used. */
export function cloudSource(url: string): ConfigSource | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, host } = new URL(url);
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal)) return undefined;
  return { id: `cloud:${url}`, scope: 'cloud', format: 'settings', label: `servers from ${host}` };
}
