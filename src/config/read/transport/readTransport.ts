import { oneLine } from '../../../base/text/invisible.ts';
import { say } from '../../../base/say.ts';
import { placeholderIn } from '../placeholders.ts';
import { addressFault } from './addressFault.ts';
import { replacing, type EntryReader } from '../entryReader.ts';
import { holdsServers, isComment, LAUNCH_KEYS } from '../serverMaps.ts';
import { stringOf, type Member } from '../../syntax/configNode.ts';
import { readOAuth } from './readOAuth.ts';
import { readStdio } from './readStdio.ts';
import type { TransportSpec } from '../../configTypes.ts';
import { scanVariables } from '../../variables/variableSyntax.ts';
import { readTls } from './readTls.ts';

type Kind = 'stdio' | 'http' | 'sse' | 'remote' | 'ws' | 'sdk';

const TYPE_KEYS = ['type', 'transport', 'transportType'] as const;
/** Options of a request, of which the headers are read. */
export const REQUEST_OPTIONS = ['requestInit', 'requestOptions', 'request_init', 'request_options'] as const;
/** An entry's own headers; of a name in both, the first counts. */
export const HEADER_FIELDS = ['headers', 'http_headers'] as const;
/** Codex: the environment variable that holds a bearer token, and those that hold headers by name. */
export const BEARER_FIELDS = ['bearer_token_env_var', 'bearerTokenEnvVar', 'bearerTokenEnv'] as const;
export const ENV_HEADERS = 'env_http_headers';
const URL_KEYS = LAUNCH_KEYS.filter((key) => key !== 'command');

/** The names of types, lower-case and without `-` and `_`. `local` and `remote` are opencode's. */
const KINDS: Readonly<Record<string, Kind>> = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'http',
  streamablehttp: 'http',
  sse: 'sse',
  remote: 'remote',
  ws: 'ws',
  websocket: 'ws',
  sdk: 'sdk',
};

/** What the entry runs or reaches; `undefined` where it doesn't say so, with the problem reported. */
export function readTransport(reader: EntryReader): TransportSpec | undefined {
  const typeMember = reader.first(TYPE_KEYS);
  // Cline's command line has all that is run or reached inside of `transport`.
  if (typeMember?.value.type === 'object') return readTransport(reader.inside(typeMember.value));
  const kind = typeMember && readKind(reader, typeMember);
  if (typeMember && !kind) return undefined;
  const command = reader.first(['command']);
  const url = reader.first(URL_KEYS);
  if (kind === 'sdk') return unsupported(reader, typeMember);
  if (command && url) {
    reader.report(url.span, 'command-and-url', 'error', {
      message: say`This server has both \`command\` and \`${url.key}\`, so it isn't clear which one to use.`,
      fix: say`Remove \`${url.key}\` to start a process, or \`command\` to connect to a running server.`,
    });
    return undefined;
  }
  if (command) {
    if (kind && kind !== 'stdio') return mismatch(reader, typeMember, 'command', 'stdio');
    return readStdio(reader, command);
  }
  if (url) {
    if (kind === 'stdio') return mismatch(reader, typeMember, url.key, 'http');
    return readUrl(reader, url, kind);
  }
  if (reader.first(['settings']) || stringOf(reader.value('source')) === 'extension') {
    reader.report(reader.node, 'of-an-extension', 'hint', {
      message: say`An extension of that client defines this server, so it runs only there.`,
    });
    return undefined;
  }
  const { conventions } = reader;
  if (conventions?.mergesByName && (reader.first(['enabled']) ?? reader.first(['disabled']))) {
    const isOff = reader.flag('enabled') === false || reader.flag('disabled') === true;
    reader.report(reader.node, 'defined-elsewhere', 'hint', {
      message: isOff
        ? say`This switches off the server that another file of ${conventions.name} defines.`
        : say`Another file of ${conventions.name} defines this server; here it can only be switched off.`,
    });
    return undefined;
  }
  if (holdsServers(reader.node)) {
    reader.report(reader.node, 'servers-too-deep', 'error', {
      message: say`\`${oneLine(reader.name)}\` isn’t a server but holds some: they stand one level too deep.`,
      fix: say`Move them one level up, in place of it.`,
    });
    return undefined;
  }
  reader.report(reader.node, 'nothing-to-run', 'error', {
    message: say`This server has neither \`command\` nor \`url\`.`,
    fix:
      kind === 'stdio'
        ? say`Add \`"command": "…"\`, the program to start.`
        : say`Add \`"command": "…"\` to start a program, or \`"url": "https://…"\` to connect to a running server.`,
  });
  return undefined;
}

function readKind(reader: EntryReader, member: Member): Kind | undefined {
  const written = stringOf(member.value);
  const kind = written === undefined ? undefined : KINDS[written.toLowerCase().replaceAll(/[-_ ]/g, '')];
  if (kind) return kind;
  const meant = reader.first(['command']) ? 'stdio' : 'http';
  reader.report(member.value, 'unknown-type', 'error', {
    message:
      written === undefined
        ? say`\`${member.key}\` must be a string.`
        : say`Unknown server type \`${written}\`. Known types: \`stdio\`, \`http\`, \`sse\`, \`ws\`.`,
    fix: say`Change to \`"${meant}"\`, or remove \`${member.key}\`.`,
    edit: replacing(member.value, `"${meant}"`),
  });
  return undefined;
}

function unsupported(reader: EntryReader, member: Member | undefined): undefined {
  reader.report(member?.value ?? reader.node, 'unsupported-type', 'error', {
    message: say`A server of type \`sdk\` runs inside another program, so a file can’t define it.`,
    fix: say`Use \`stdio\` or \`http\` if the server offers it.`,
  });
}

function mismatch(reader: EntryReader, member: Member | undefined, key: string, right: string): undefined {
  const at = member?.value ?? reader.node;
  reader.report(at, 'type-mismatch', 'error', {
    message: say`The type is ${reader.written(at)}, but the server has \`${key}\`.`,
    fix: say`Write \`"${right}"\`, or replace \`${key}\`.`,
    edit: replacing(at, `"${right}"`),
  });
}

/** Reads what is reached at an address. */
function readUrl(
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
