import { oneLine } from '../../../base/text/showInvisible.ts';

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

/** How much of a page is looked at, in characters. */
const MAX_PAGE_CHARS = 100_000;
const SIGN_IN_TITLE = /<title[^>]{0,200}>[^<]{0,200}\b(?:log[- ]?in|sign[- ]?in|single sign-on|sso|authenticat\w*)\b/i;
const PASSWORD = /<input\b[^>]{0,500}\btype\s*=\s*["']?password/i;
const SIGN_IN_FORM = /<form\b[^>]{0,500}\baction\s*=\s*["']?[^"'>]{0,200}\b(?:log-?in|sign-?in|sso|saml|oauth)/i;

/** Whether a body is a web page that wants a person to sign in. Pure. */
export function isSignInPage(body: string): boolean {
  if (!isPage(body)) return false;
  const page = body.slice(0, MAX_PAGE_CHARS);
  return [SIGN_IN_TITLE, PASSWORD, SIGN_IN_FORM].some((sign) => sign.test(page));
}

/** Whether a body is a web page, whatever its type says. */
export function isPage(body: string): boolean {
  return /^[\s\ufeff]{0,100}<(?:!doctype|html|head|body|\?xml|h\d|center|title)\b/i.test(body);
}

function shortened(title: string): string {
  const line = oneLine(title.replaceAll(/\s+/g, ' ').trim());
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE)}…` : line;
}
