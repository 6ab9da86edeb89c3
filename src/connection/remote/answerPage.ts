import { oneLine } from '../../base/invisible.ts';

/** A page that came in the place of an answer. */
export interface AnswerPage {
  /** What stands in its title. */
  readonly title?: string;
  /** It is of something between the editor and the server. */
  readonly isProxys: boolean;
}

const MAX_TITLE = 100;
/** Headers and servers of what stands between. */
const PROXY_HEADERS = [
  'x-squid-error',
  'proxy-authenticate',
  'proxy-connection',
  'x-zscaler-transaction',
  'x-bluecoat-via',
];
const PROXY_SERVERS =
  /squid|zscaler|blue ?coat|mcafee|forti|sophos|websense|forcepoint|netskope|barracuda|mitmproxy|privoxy|tinyproxy/i;
const PROXY_TITLES =
  /proxy|blocked|web ?filter|captive|sign in to (?:the )?network|wi-?fi|internet access|policy violation|zscaler|netskope|fortiguard/i;

/** What an answer that isn't a success shows a person, and whether a proxy sent it. Pure. */
export function answerPage(status: number, headers: Headers, body: string): AnswerPage | undefined {
  const isHtml = /html/i.test(headers.get('content-type') ?? '') || /^\s*<(?:!doctype|html)/i.test(body);
  const title = isHtml ? /<title[^>]*>([^<]{1,1000})/i.exec(body.slice(0, 20_000))?.[1] : undefined;
  const isProxys =
    status === 407 ||
    status === 511 ||
    PROXY_HEADERS.some((name) => headers.has(name)) ||
    PROXY_SERVERS.test(`${headers.get('server') ?? ''} ${headers.get('via') ?? ''}`) ||
    (title !== undefined && PROXY_TITLES.test(title));
  if (title === undefined && !isProxys) return undefined;
  return { ...(title === undefined ? {} : { title: shortened(title) }), isProxys };
}

function shortened(title: string): string {
  const line = oneLine(title.replaceAll(/\s+/g, ' ').trim());
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE)}…` : line;
}
