const DATA_URL = /^\s*data:([^,;]*)[^,]*,/i;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** A `data:` URL begins with this many characters at most. */
const MAX_PREFIX = 256;

/** Bytes that came as text. */
export interface Base64 {
  /** Plain base64: without the prefix of a `data:` URL, blanks, and the alphabet of URLs. */
  readonly base64: string;
  /** The media type of the prefix. */
  readonly mimeType?: string;
}

/** Reads base64 as programs write it; `undefined`: it is something else. */
export function readBase64(text: string): Base64 | undefined {
  const prefix = DATA_URL.exec(text.slice(0, MAX_PREFIX));
  const rest = prefix ? text.slice(prefix[0].length) : text;
  const mimeType = prefix?.[1] ? { mimeType: prefix[1] } : {};
  if (BASE64.test(rest)) return rest.length % 4 === 1 ? undefined : { base64: rest, ...mimeType };
  const base64 = rest.replaceAll(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/');
  return BASE64.test(base64) && base64.length % 4 !== 1 ? { base64, ...mimeType } : undefined;
}
