/** Whether a host is this machine, as addresses to be sent back to name it. */
export function isLoopback(hostname: string): boolean {
  return hostname === '127.0.0.1' || hostname === 'localhost' || hostname === '[::1]';
}

/** Whether an authorization server may send a browser there: OAuth for MCP takes `https:` and this machine alone. */
export function mayBeRedirectedTo(uri: string): boolean {
  return isLoopbackAddress(uri) || (URL.canParse(uri) && new URL(uri).protocol === 'https:');
}

/** Whether an address is one that can be listened on here. */
export function isLoopbackAddress(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, hostname } = new URL(uri);
  return protocol === 'http:' && isLoopback(hostname);
}

/** Why a pasted text is no answer. */
export type PasteFault = 'no-address' | 'no-state' | 'cut';

/**
 * The answer in what a person copied from the browser: the whole address, or what follows the `?`. With an error it is one,
 * too.
 */
export function pastedAnswer(text: string): URLSearchParams | PasteFault {
  const line = text.trim();
  const asked = URL.canParse(line) ? new URL(line).search : line;
  // Some join theirs to an address that has a query already with another `?`.
  const query = asked.replace(/^\?/, '').replaceAll('?', '&');
  if (/\s/.test(line) || !query.includes('=')) return 'no-address';
  const params = new URLSearchParams(query);
  if (!params.has('state')) return 'no-state';
  return params.has('code') || params.has('error') ? params : 'cut';
}
