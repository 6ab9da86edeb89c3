import type { Challenge } from './authorization.ts';

const TOKEN = String.raw`[\w!#$%&'*+.^\x60|~-]+`;
/** A parameter, or a word: a scheme, or what follows a scheme that has no parameters (RFC 9110, section 11.6.1). */
const NEXT = new RegExp(
  String.raw`[\s,]*(?:(?<name>${TOKEN})\s*=\s*(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<plain>[^\s,"]+))|(?<word>[^\s,"]+))`,
  'gy',
);

/** What a refusal says of OAuth. */
export interface BearerChallenge extends Challenge {
  /** RFC 6750, section 3.1. */
  readonly error?: string;
}

/**
 * The challenge of OAuth among those of a refusal (RFC 6750, section 3; RFC 9449, section 7.1), whatever stands before it. What is
 * quoted is a text, and no part of another challenge. Pure.
 * @param header `WWW-Authenticate`, several joined by commas
 * @returns `undefined` where there is none
 */
export function bearerChallenge(header: string | null): BearerChallenge | undefined {
  const challenges: { readonly scheme: string; readonly params: Map<string, string> }[] = [];
  for (const { groups: { name, quoted, plain, word } = {} } of (header ?? '').matchAll(NEXT)) {
    if (word !== undefined) challenges.push({ scheme: word.toLowerCase(), params: new Map() });
    const params = challenges.at(-1)?.params;
    const key = name?.toLowerCase() ?? '';
    const value = quoted?.replaceAll(/\\(.)/gs, '$1') ?? plain?.replaceAll(/^'|'$/g, '') ?? '';
    if (key !== '' && !params?.has(key)) params?.set(key, value);
  }
  const own = challenges.filter(({ scheme }) => scheme === 'bearer' || scheme === 'dpop');
  const { params } = own.find(({ params: { size } }) => size > 0) ?? own[0] ?? {};
  if (!params) return undefined;
  const metadata = URL.parse(params.get('resource_metadata') ?? '');
  const [scope, error] = [params.get('scope')?.trim(), params.get('error')];
  return {
    ...(metadata ? { resourceMetadataUrl: metadata } : {}),
    ...(scope ? { scope } : {}),
    ...(error === undefined ? {} : { error }),
  };
}

/** The same of an answer. */
export function challengeIn({ headers }: Response): BearerChallenge {
  return bearerChallenge(headers.get('www-authenticate')) ?? {};
}

/** Whether a request was refused for its token, or for having none. Some say so with another status than RFC 6750, section 3.1, has. */
export function isOfToken(response: Response): boolean {
  return (
    response.status === 401 || (isOtherRefusal(response.status) && challengeIn(response).error === 'invalid_token')
  );
}

function isOtherRefusal(status: number): boolean {
  return status === 400 || status === 403;
}
