/** The scheme of resources as documents in the editor. */
export const RESOURCE_SCHEME = 'mcp';

/** A document's address in parts, as the editor's `Uri.from` takes them. */
export interface DocumentUri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
}

/** A resource of a server. */
export interface ResourceId {
  /** As configured. */
  readonly server: string;
  readonly uri: string;
}

/**
 * Where a resource is shown in the editor: `mcp://<server>/<name>?<resource>`. The name is for display, and its ending
 * tells the editor the language or the viewer. The server and the whole URI are in the rest, encoded so that neither
 * lower-casing nor decoding once more changes them.
 */
export function documentUri({ server, uri }: ResourceId, mimeType?: string): DocumentUri {
  return {
    scheme: RESOURCE_SCHEME,
    authority: encodeServer(server),
    path: `/${fileName(uri, mimeType)}`,
    query: encodeText(uri),
  };
}

/** The resource of a document; `undefined` for an address that `documentUri` never gives. */
export function resourceOf({ scheme, authority, query }: Omit<DocumentUri, 'path'>): ResourceId | undefined {
  if (scheme !== RESOURCE_SCHEME) return undefined;
  const server = decodeServer(authority);
  const uri = decodeText(query);
  // What has no address is a folder that the editor looks for above a document.
  return server === undefined || !uri ? undefined : { server, uri };
}

/** Lower-case letters, digits and `-` as they are, every other UTF-16 unit as `_` and four digits. */
function encodeServer(name: string): string {
  const units = Array.from({ length: name.length }, (_, index) => name.charAt(index));
  return units.map((unit) => (/[a-z0-9-]/.test(unit) ? unit : `_${hex(unit)}`)).join('');
}

function decodeServer(authority: string): string | undefined {
  if (!/^(?:[a-z0-9-]|_[0-9a-f]{4})*$/.test(authority)) return undefined;
  return authority.replaceAll(/_([0-9a-f]{4})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}

function hex(unit: string): string {
  return unit.charCodeAt(0).toString(16).padStart(4, '0');
}

/** Before what isn't well-formed Unicode and so isn't UTF-8. */
const UTF16_MARK = '.';

function encodeText(text: string): string {
  return text.isWellFormed()
    ? Buffer.from(text, 'utf8').toString('base64url')
    : `${UTF16_MARK}${Buffer.from(text, 'utf16le').toString('base64url')}`;
}

function decodeText(encoded: string): string | undefined {
  if (!/^\.?[A-Za-z0-9_-]*$/.test(encoded)) return undefined;
  const isUtf16 = encoded.startsWith(UTF16_MARK);
  const text = Buffer.from(isUtf16 ? encoded.slice(1) : encoded, 'base64url').toString(isUtf16 ? 'utf16le' : 'utf8');
  return encodeText(text) === encoded ? text : undefined;
}

/** The longest name; systems refuse longer ones. */
const MAX_NAME = 100;

/** A name for display from the end of a URI, with an ending that fits the type. */
function fileName(uri: string, mimeType: string | undefined): string {
  const last = /([^/?#:]+)\/*(?:[?#].*)?$/su.exec(uri)?.[1] ?? '';
  const clean = decoded(last)
    .replaceAll(/[^\p{L}\p{N}._ -]/gu, '_')
    .replace(/^[. ]+/, '');
  const name = clean.slice(-MAX_NAME).toWellFormed() || 'resource';
  const ending = endingFor(mimeType);
  if (ending === undefined) return name;
  const own = /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase();
  // A text's own ending says more than its type does.
  const fits = own !== undefined && (ending === 'txt' || own === ending || (own === 'jpeg' && ending === 'jpg'));
  return fits ? name : `${name}.${ending}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const ENDINGS: Readonly<Record<string, string>> = {
  'application/gzip': 'gz',
  'application/javascript': 'js',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/sql': 'sql',
  'application/toml': 'toml',
  'application/typescript': 'ts',
  'application/x-sh': 'sh',
  'application/x-yaml': 'yaml',
  'application/xml': 'xml',
  'application/yaml': 'yaml',
  'application/zip': 'zip',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
  'image/x-icon': 'ico',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/javascript': 'js',
  'text/markdown': 'md',
  'text/typescript': 'ts',
  'text/x-c': 'c',
  'text/x-go': 'go',
  'text/x-java': 'java',
  'text/x-log': 'log',
  'text/x-markdown': 'md',
  'text/x-python': 'py',
  'text/x-rust': 'rs',
  'text/xml': 'xml',
  'text/yaml': 'yaml',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
};

function endingFor(mimeType: string | undefined): string | undefined {
  const type = mimeType?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (Object.hasOwn(ENDINGS, type)) return ENDINGS[type];
  if (type.endsWith('+json')) return 'json';
  if (type.endsWith('+xml')) return 'xml';
  return type.startsWith('text/') ? 'txt' : undefined;
}
