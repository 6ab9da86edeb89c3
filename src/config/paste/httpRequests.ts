import { programName } from '../../base/files/programName.ts';

/** What an HTTP client writes of itself, and the protocol of its session: no setting of a server. */
const OWN_HEADERS = /^(?:content-|accept|user-agent|host:|connection|mcp-|origin|cache-control)/i;
/** Options of `curl` with a value that says nothing of a server. */
const WITH_VALUE =
  /^(?:-[XdoAmbcwFT]|--(?:request|data(?:-\w+)?|json|output|user-agent|max-time|connect-timeout|cookie|cookie-jar|write-out|retry))$/;

/**
 * The address and headers of a line of `curl` that speaks to a server, in the words that `mcp add` has; `undefined` for one
 * that fetches something.
 */
export function wordsOfCurl([program = '', ...words]: readonly string[]): readonly string[] | undefined {
  if (programName(program) !== 'curl') return undefined;
  const urls: string[] = [];
  const headers: string[] = [];
  let isPost = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (/^(?:-H|--header)$/.test(word)) headers.push(words[(at += 1)] ?? '');
    else if (WITH_VALUE.test(word)) {
      isPost ||= /^(?:-d|--data|--json)/.test(word) || /^post$/i.test(words[at + 1] ?? '');
      at += 1;
    } else if (/^https?:\/\//i.test(word)) urls.push(word);
  }
  const [url] = urls;
  const isServer = isPost || /\/(?:mcp|sse)\/?(?:[?#].*)?$/i.test(url ?? '');
  return url !== undefined && urls.length === 1 && isServer ? [url, ...asOptions(headers)] : undefined;
}

/** The same of a request as it goes over the wire: `POST https://…`, and a header in each line, or behind a blank. */
export function wordsOfRequest(text: string): readonly string[] | undefined {
  const [, url, rest = ''] =
    /^(?:POST|GET)\s+(https?:\/\/\S+)(?:\s+HTTP\/[\d.]+)?((?:\s+[A-Z][\w-]*:\s[\s\S]*)?)$/.exec(text) ?? [];
  return url === undefined
    ? undefined
    : [
        url,
        ...asOptions(
          rest
            .trim()
            .replaceAll(/\s+/g, ' ')
            .split(/ (?=[A-Z][\w-]*:\s)/),
        ),
      ];
}

function asOptions(headers: readonly string[]): readonly string[] {
  return headers.filter((each) => each !== '' && !OWN_HEADERS.test(each)).flatMap((each) => ['--header', each]);
}
