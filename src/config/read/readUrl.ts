import type { EntryReader } from './entryReader.ts';
import type { Member } from '../syntax/configNode.ts';
import type { TransportSpec } from '../configTypes.ts';
import { scanVariables } from '../variables/variableSyntax.ts';

/** Reads what is reached at an address. */
export function readUrl(
  reader: EntryReader,
  member: Member,
  kind: 'http' | 'sse' | 'remote' | 'ws' | undefined,
): TransportSpec | undefined {
  const written = reader.text([member.key]);
  if (written === undefined) return undefined;
  const url = reader.note('url', written, member.value);
  const isSocket = kind === 'ws' || (kind === undefined && /^wss?:\/\//i.test(url));
  const fault = urlFault(url, isSocket ? 'ws' : 'http');
  if (fault) {
    reader.report(member.value, 'invalid-url', 'error', {
      message: fault,
      fix: `Write it as \`${isSocket ? 'wss' : 'https'}://host:port/path\`.`,
    });
    return undefined;
  }
  const headersHelper = reader.text(['headersHelper']);
  // Gemini's `httpUrl` means Streamable HTTP.
  const implied = isSocket ? 'ws' : member.key === 'httpUrl' ? 'http' : 'url';
  return {
    type: kind === 'http' || kind === 'sse' ? kind : implied,
    url,
    headers: { ...codexHeaders(reader), ...reader.textMap(['headers', 'http_headers']) },
    ...(headersHelper === undefined ? {} : { headersHelper }),
  };
}

/** Codex names the environment variables that hold a bearer token and further headers. */
function codexHeaders(reader: EntryReader): Record<string, string> {
  const token = reader.text(['bearer_token_env_var']);
  const named = Object.entries(reader.textMap(['env_http_headers']));
  return {
    ...Object.fromEntries(named.map(([header, variable]) => [header, `\${env:${variable}}`])),
    ...(token === undefined ? {} : { Authorization: `Bearer \${env:${token}}` }),
  };
}

const BEGINNINGS = { http: /^https?:\/\//i, ws: /^wss?:\/\//i } as const;

/** What is wrong with a URL, as a sentence. What a variable stands for can't be judged and counts as right. */
function urlFault(url: string, scheme: 'http' | 'ws'): string | undefined {
  if (/^(?:\$\{|\$env:|%\w+%)/.test(url)) return undefined;
  const filled = scanVariables(url, { percent: false, lookUp: () => '1', onMissing: () => undefined });
  if (!BEGINNINGS[scheme].test(filled)) return `The address has to begin with \`${scheme}://\` or \`${scheme}s://\`.`;
  if (URL.canParse(filled)) return undefined;
  const port = /^[a-z]+:\/\/[^/?#]*:([^/?#:\]]*)(?:[/?#]|$)/i.exec(filled)?.[1];
  return port !== undefined && !(/^\d+$/.test(port) && Number(port) <= 65_535)
    ? `\`${port}\` is no port: a port is a number from 1 to 65535.`
    : "The address isn't a valid URL.";
}
