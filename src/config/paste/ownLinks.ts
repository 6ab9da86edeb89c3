import { say } from '../../base/say.ts';
import { isRecord } from '../../base/json/json.ts';
import type { PasteFault } from './pasteFault.ts';
import { readPasted, type PasteContext, type Pasted } from './readPasted.ts';

/** More is no link that anybody made for a button, in UTF-16 units. */
const MAX_LENGTH = 32_000;
/** A link adds what one question can show. */
const MAX_SERVERS = 10;

const UNREADABLE: PasteFault = {
  message: say`It has no configuration.`,
  fix: say`A link has \`config=\` with JSON, in base64url or percent-encoded.`,
};

/**
 * The servers of a link to this extension: `add?config=…`, JSON of any client in base64url or as text, with `name` beside it
 * where the JSON has none; or `add?{…}`. Pure: nothing is fetched.
 * @param query as the editor gives it, decoded once
 */
export function readLink(query: string, context: PasteContext): Pasted | PasteFault {
  if (query.length > MAX_LENGTH)
    return { message: say`It is too long.`, fix: say`Add the server by its configuration.` };
  const json = jsonOf(query);
  if (json === undefined) return UNREADABLE;
  const pasted = readPasted(json, context);
  if ('message' in pasted || pasted.servers.length <= MAX_SERVERS) return pasted;
  return {
    message: say`It adds more than ${MAX_SERVERS} servers at once.`,
    fix: say`Add them by their configuration.`,
  };
}

function jsonOf(query: string): string | undefined {
  // Decoded once already: what stands in JSON may be an ampersand.
  const whole = /^\s*[{%]/.test(query) ? decoded(query) : undefined;
  if (whole?.startsWith('{')) return whole;
  const config = /(?:^|&)config=(.*)$/s.exec(query)?.[1];
  const name = /(?:^|&)name=([^&]*)/.exec(query.slice(0, query.indexOf('config=') + 1))?.[1];
  if (config === undefined) return undefined;
  const text = /^\s*[{%]/.test(config) ? decoded(config) : fromBase64(config.split('&')[0] ?? '');
  if (text === undefined || !text.trim().startsWith('{')) return undefined;
  return name === undefined ? text : withName(text, decoded(name) ?? name);
}

function withName(text: string, name: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && value['name'] === undefined ? JSON.stringify({ name, ...value }) : text;
  } catch {
    return text;
  }
}

function decoded(text: string): string | undefined {
  if (!/^\s*%/.test(text)) return text.trim();
  try {
    return decodeURIComponent(text).trim();
  } catch {
    return undefined;
  }
}

function fromBase64(text: string): string | undefined {
  const plain = decodedPercent(text).replaceAll(' ', '+');
  return /^[\w+/=-]+$/.test(plain) ? Buffer.from(plain, 'base64').toString('utf8') : undefined;
}

function decodedPercent(text: string): string {
  return text.replaceAll(/%(2B|2F|3D)/gi, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
