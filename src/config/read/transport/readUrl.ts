import { oneLine } from '../../../base/text/showInvisible.ts';
import { say } from '../../../base/say.ts';
import { placeholderIn } from '../placeholders.ts';
import { addressFault } from './addressFault.ts';
import { replacing, type EntryReader } from '../entryReader.ts';
import { isComment } from '../serverMaps.ts';
import type { Member } from '../../syntax/configNode.ts';
import { readOAuth } from './readOAuth.ts';
import type { TransportSpec } from '../../configTypes.ts';
import { scanVariables } from '../../variables/variableSyntax.ts';
import { readTls } from './readTls.ts';

/** Options of a request, of which the headers are read. */
export const REQUEST_OPTIONS = ['requestInit', 'requestOptions', 'request_init', 'request_options'] as const;
/** An entry's own headers; of a name in both, the first counts. */
export const HEADER_FIELDS = ['headers', 'http_headers'] as const;
/** Codex: the environment variable that holds a bearer token, and those that hold headers by name. */
export const BEARER_FIELDS = ['bearer_token_env_var', 'bearerTokenEnvVar', 'bearerTokenEnv'] as const;
export const ENV_HEADERS = 'env_http_headers';

/** Reads what is reached at an address; `undefined` where it can’t be, with the problem reported. */
export function readUrl(
  reader: EntryReader,
  member: Member,
  kind: 'http' | 'sse' | 'remote' | 'ws' | undefined,
): TransportSpec | undefined {
  const written = reader.text([member.key]);
  if (written === undefined) return undefined;
  const url = reader.note('url', written.trim(), member.value);
  const isSocket = kind === 'ws' || (kind === undefined && /^wss?:\/\//i.test(url));
  const fault = urlFault(url, isSocket ? 'ws' : 'http');
  const placeholder = fault === undefined ? undefined : placeholderIn(url);
  if (placeholder) {
    reader.report(member.value, 'placeholder', 'error', {
      message: say`The URL has the placeholder \`${oneLine(placeholder.written)}\` in it.`,
      fix: say`Write the URL of your own server.`,
    });
    return undefined;
  }
  if (fault) {
    const meant = meantUrl(url);
    reader.report(member.value, 'invalid-url', 'error', {
      message: fault,
      fix:
        meant === undefined
          ? say`Write it as \`${isSocket ? 'wss' : 'https'}://host:port/path\`.`
          : say`Write \`${meant}\`.`,
      ...(meant === undefined ? {} : { edit: replacing(member.value, JSON.stringify(meant)) }),
    });
    return undefined;
  }
  const headersHelper = reader.text(['headersHelper']);
  const oauth = readOAuth(reader);
  const tls = readTls(reader, url);
  // Gemini's `httpUrl` means Streamable HTTP.
  const implied = isSocket ? 'ws' : member.key === 'httpUrl' ? 'http' : 'url';
  return {
    type: kind === 'http' || kind === 'sse' ? kind : implied,
    url,
    headers: mergedHeaders([codexHeaders(reader), nestedHeaders(reader), reader.textMap(HEADER_FIELDS)]),
    ...(headersHelper === undefined ? {} : { headersHelper }),
    ...(oauth === undefined ? {} : { oauth }),
    ...(tls === undefined ? {} : { tls }),
  };
}

/** The address in quotes or brackets, or without its scheme. */
function meantUrl(url: string): string | undefined {
  const bare = url.replace(/^["'`<(“‘]+|["'`>)”’,;]+$/g, '');
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)(?::\d+)?(?:[/?]|$)/i.test(bare);
  const whole = isLocal
    ? `http://${bare}`
    : /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?]|$)/.test(bare)
      ? `https://${bare}`
      : bare;
  const isRight = /^(?:http|ws)s?:\/\//i.test(whole) && URL.canParse(whole) && addressFault(whole) === undefined;
  return isRight && whole !== url ? whole : undefined;
}

/** Several objects of headers as one: of a name, in any case, the last counts. Both would be sent as one value otherwise. */
function mergedHeaders(all: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const byName = new Map<string, [string, string]>();
  for (const header of all.flatMap((headers) => Object.entries(headers))) byName.set(header[0].toLowerCase(), header);
  return Object.fromEntries(byName.values());
}

/** Codex names the environment variables that hold a bearer token and further headers. */
function codexHeaders(reader: EntryReader): Record<string, string> {
  const token = reader.text(BEARER_FIELDS);
  const place = reader.first(BEARER_FIELDS);
  if (place) reader.places.set('headers.Authorization', place.value);
  const named = Object.entries(reader.textMap([ENV_HEADERS]));
  return {
    ...Object.fromEntries(named.map(([header, variable]) => [header, `\${env:${variable}}`])),
    ...(token === undefined ? {} : { Authorization: `Bearer \${env:${token}}` }),
  };
}

/** JetBrains and others have the headers inside of the options of a request. */
function nestedHeaders(reader: EntryReader): Record<string, string> {
  const options = reader.first(REQUEST_OPTIONS)?.value;
  if (options?.type !== 'object') return {};
  const inner = reader.inside(options);
  for (const { key, keyNode } of inner.members)
    if (key !== 'headers' && !isComment(key))
      reader.report(keyNode, 'unknown-field', 'hint', {
        message: say`Only the \`headers\` of these options are read; \`${key}\` is ignored.`,
        fix: say`Remove it.`,
      });
  return inner.textMap(['headers']);
}

const BEGINNINGS = { http: /^https?:\/\//i, ws: /^wss?:\/\//i } as const;

/** What is wrong with a URL, as a sentence. What a variable stands for can't be judged and counts as right. */
function urlFault(url: string, scheme: 'http' | 'ws'): string | undefined {
  if (/^(?:\$\{|\$env:|%\w+%)/.test(url)) return undefined;
  const filled = scanVariables(url, { percent: false, lookUp: () => '1', onMissing: () => undefined });
  if (!BEGINNINGS[scheme].test(filled)) return say`The URL must begin with \`${scheme}://\` or \`${scheme}s://\`.`;
  const fault = addressFault(filled);
  if (fault !== undefined) return fault;
  if (URL.canParse(filled)) return undefined;
  const port = /^[a-z]+:\/\/[^/?#]*:([^/?#:\]]*)(?:[/?#]|$)/i.exec(filled)?.[1];
  return port !== undefined && !(/^\d+$/.test(port) && Number(port) <= 65_535)
    ? say`\`${port}\` is not a port: use a number from 1 to 65535.`
    : say`Invalid URL.`;
}
