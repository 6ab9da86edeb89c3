/**
 * The address of a server in HTTP: where a WebSocket is asked for (RFC 6455, section 4.1), and what is signed in to; a
 * resource of OAuth has no other form (RFC 9728, section 1.2).
 */
export function httpAddress(url: string): URL {
  return new URL(url.replace(/^ws/i, 'http'));
}
