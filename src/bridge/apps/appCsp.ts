import { isRecord, type JsonObject } from '../../base/json/json.ts';

/** What a page declares to load and to reach (MCP Apps: `McpUiResourceCsp`), without what can't be a source. */
export interface AppCsp {
  readonly connectDomains: readonly string[];
  readonly resourceDomains: readonly string[];
  readonly frameDomains: readonly string[];
  readonly baseUriDomains: readonly string[];
}

/** Those that a page sends to on purpose first. */
const KEYS = ['connectDomains', 'frameDomains', 'resourceDomains', 'baseUriDomains'] as const;
/** More sources than this nobody reads. */
const MAX_SOURCES = 100;
/** A site, with or without a wildcard for its subdomains, a port and a path; nothing that could end the directive that it stands in. */
const SITE =
  /^(?:https?|wss?):\/\/(?:\*\.)?(?:[a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[\da-f:.]+\])(?::(?:\d{1,5}|\*))?(?:\/[\w.~%/-]*)?$/i;
/** What comes from the page itself: it is allowed to every page. */
const LOCAL: ReadonlySet<string> = new Set(['data:', 'blob:']);
const LONGEST_SOURCE = 300;

/** What of a declaration (`_meta.ui.csp`) is sites. Pure. */
export function readCsp(declared: unknown): AppCsp {
  const of = (key: (typeof KEYS)[number]): readonly string[] => {
    const list = isRecord(declared) ? declared[key] : undefined;
    return Array.isArray(list) ? list.slice(0, MAX_SOURCES).filter(isSource) : [];
  };
  return {
    connectDomains: of('connectDomains'),
    resourceDomains: of('resourceDomains'),
    frameDomains: of('frameDomains'),
    baseUriDomains: of('baseUriDomains'),
  };
}

function isSource(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_SOURCE && SITE.test(value);
}

/** The sites that a page may load from or send to, each once. */
export function sitesOf(csp: AppCsp): readonly string[] {
  return [...new Set(KEYS.flatMap((key) => csp[key]))];
}

/**
 * The content security policy of a page (MCP Apps: *Content Security Policy Enforcement*), and of the document around it,
 * which the page inherits it from: so it holds from the page's first byte on, whatever that is. `'self'` would be the
 * document's origin, which the page hasn't.
 */
export function policyOf({ connectDomains, resourceDomains, frameDomains, baseUriDomains }: AppCsp): string {
  const only = (given: readonly string[]): string => (given.length > 0 ? given.join(' ') : "'none'");
  const local = [...LOCAL].join(' ');
  const loaded = [local, ...resourceDomains].join(' ');
  return [
    "default-src 'none'",
    // Who may write a script may also evaluate one, and start a worker with it, as many libraries do.
    `script-src 'unsafe-inline' 'unsafe-eval' ${loaded}`,
    `style-src 'unsafe-inline' ${loaded}`,
    `img-src ${loaded}`,
    `media-src ${loaded}`,
    `font-src ${loaded}`,
    `connect-src ${[local, ...connectDomains].join(' ')}`,
    // Also for where the page itself may be led to.
    `frame-src ${only(frameDomains)}`,
    `base-uri ${only(baseUriDomains)}`,
    "object-src 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** A content or an entry of a resource with declarations that have nothing but sources in them: for clients that put them into a policy as they are. */
function withReadCsp(content: unknown): unknown {
  if (!isRecord(content) || !isRecord(content['_meta'])) return content;
  const { _meta: meta } = content;
  const { ui } = meta;
  return isRecord(ui) && 'csp' in ui
    ? { ...content, _meta: { ...meta, ui: { ...ui, csp: readCsp(ui['csp']) } } }
    : content;
}

/** The same for all items of a page of a list, or of the contents of a resource. */
export function withReadCsps(page: JsonObject): JsonObject {
  const read = (value: unknown): unknown => (Array.isArray(value) ? value.map(withReadCsp) : value);
  return Object.fromEntries(Object.entries(page).map(([key, value]) => [key, read(value)])) as JsonObject;
}
