import { SwitchboardError } from '../../base/errors.ts';
import { isRecord } from '../../base/json/json.ts';
import type { AppServer } from './appServer.ts';
import { readCsp, type AppCsp } from './appCsp.ts';

/** A server's page, as it is drawn. */
export interface AppResource {
  readonly html: string;
  readonly csp: AppCsp;
  /** It asks to write to the clipboard. */
  readonly wantsClipboard: boolean;
  /** Other permissions that it asks for, which no webview has. */
  readonly neverPermitted: readonly string[];
}

/** The largest page, in characters. */
const MAX_HTML_CHARS = 16 * 1024 * 1024;
/** MCP Apps: *UI Resource Format*; with or without further parameters. */
const MIME_TYPE = /^text\/html\s*;(?:.*;)?\s*profile\s*=\s*"?mcp-app"?\s*(?:;.*)?$/i;
/** The pattern takes a time that is quadratic in the length. */
const LONGEST_MIME_TYPE = 200;
const DEVICES = ['camera', 'microphone', 'geolocation'] as const;

/**
 * Reads the page of a tool from its server, by the broker.
 * @throws SwitchboardError `call-failed` where it is no page, or what the broker throws
 */
export async function readApp(server: AppServer, uri: string, signal: AbortSignal): Promise<AppResource> {
  const { contents } = await server.readResource(uri, signal);
  const all = (Array.isArray(contents) ? contents : []).filter(isRecord);
  const content = all.find(
    ({ mimeType }) => typeof mimeType === 'string' && mimeType.length <= LONGEST_MIME_TYPE && MIME_TYPE.test(mimeType),
  );
  if (!content) {
    const types = all.map(({ mimeType }) => (typeof mimeType === 'string' ? mimeType.slice(0, 100) : 'no type'));
    throw unreadable(`${uri} has no page of type text/html;profile=mcp-app, but ${types.join(', ') || 'nothing'}.`);
  }
  const { text, blob } = content;
  const size = typeof text === 'string' ? text.length : typeof blob === 'string' ? (blob.length * 3) / 4 : 0;
  if (size === 0) throw unreadable(`${uri} is empty.`);
  if (size > MAX_HTML_CHARS)
    throw unreadable(`${uri} is too large: ${Math.ceil(size / 1024 / 1024)} MB, and at most 16 MB are shown.`);
  const html = typeof text === 'string' ? text : Buffer.from(blob as string, 'base64').toString();
  const ui = uiOf(content) ?? uiOf(await server.listed(uri, signal).catch(() => undefined));
  const permissions = isRecord(ui?.['permissions']) ? ui['permissions'] : {};
  return {
    html,
    csp: readCsp(ui?.['csp']),
    wantsClipboard: isRecord(permissions['clipboardWrite']),
    neverPermitted: DEVICES.filter((device) => isRecord(permissions[device])),
  };
}

/** What a content or an entry of the list says of the page; the content counts before the list. */
function uiOf(item: Readonly<Record<string, unknown>> | undefined): Readonly<Record<string, unknown>> | undefined {
  const meta = item?.['_meta'];
  const ui = isRecord(meta) ? meta['ui'] : undefined;
  return isRecord(ui) ? ui : undefined;
}

function unreadable(message: string): SwitchboardError {
  return new SwitchboardError('call-failed', message);
}
