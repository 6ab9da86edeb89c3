import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** What a request must show to come in. */
export interface AccessRules {
  /** The port that is listened on. */
  readonly port: number;
  /** The bearer token of this activation. */
  readonly token: string;
}

export interface Refusal {
  readonly status: 401 | 403;
  /** For the client's log; says nothing of what would be right. */
  readonly message: string;
}

/**
 * Whether a request may come in (specification: Streamable HTTP, *Security Warning*). A `Host` that isn't ours is a
 * rebound name, an `Origin` that isn't ours a page in a browser: neither gets as far as the token.
 */
export function refusalOf(headers: IncomingHttpHeaders, { port, token }: AccessRules): Refusal | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes((headers.host ?? '').toLowerCase())) return { status: 403, message: 'This host is not served.' };
  const { origin } = headers;
  if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`)) {
    return { status: 403, message: 'This origin is not served.' };
  }
  const given = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return given !== undefined && isSame(given, token) ? undefined : { status: 401, message: 'A valid token is needed.' };
}

/** In a time that tells nothing of where they differ. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
