/** How files of a type begin: where, and with what bytes in Latin-1. */
const BEGINNINGS: readonly (readonly [type: string, ...marks: readonly (readonly [at: number, bytes: string])[]])[] = [
  ['image/png', [0, '\x89PNG\r\n\x1a\n']],
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/gif', [0, 'GIF87a']],
  ['image/gif', [0, 'GIF89a']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
  ['image/avif', [4, 'ftypavi']],
  ['image/heic', [4, 'ftyphe']],
  ['image/heic', [4, 'ftypmif1']],
  ['image/heic', [4, 'ftypmsf1']],
  ['image/tiff', [0, 'II*\0']],
  ['image/tiff', [0, 'MM\0*']],
  ['image/x-icon', [0, '\0\0\x01\0']],
  ['image/jxl', [0, '\xff\x0a']],
  ['image/jxl', [4, 'JXL \r\n']],
  ['image/jp2', [4, 'jP  \r\n']],
  ['image/vnd.adobe.photoshop', [0, '8BPS']],
  ['application/pdf', [0, '%PDF-']],
  ['audio/wav', [0, 'RIFF'], [8, 'WAVE']],
  ['audio/ogg', [0, 'OggS']],
  ['audio/flac', [0, 'fLaC']],
  ['audio/mpeg', [0, 'ID3']],
  ['audio/mpeg', [0, '\xff\xfb']],
  ['audio/mp4', [4, 'ftypM4A']],
  ['video/mp4', [4, 'ftyp']],
  ['image/bmp', [0, 'BM']],
];
const LONGEST = 16;
/** Of a text, so much is looked at. */
const MAX_HEAD = 2048;

/** The media type of bytes, by how they begin; `undefined`: unknown. */
export function mediaTypeOf(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, LONGEST)).toString('latin1');
  const found = BEGINNINGS.find(([, ...marks]) => marks.every(([at, mark]) => head.startsWith(mark, at)));
  if (found) return found[0];
  return /^\s*(?:<\?xml[^]*?)?(?:<!--[^]*?-->\s*|<!DOCTYPE\s[^>]*>\s*)*<svg[\s>/]/i.test(textHead(bytes))
    ? 'image/svg+xml'
    : undefined;
}

function textHead(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, MAX_HEAD))
    .toString('utf8')
    .replace(/^\ufeff/, '');
}

/** The bytes as a text, where they are one. */
export function textIn(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // eslint-disable-next-line no-control-regex
    return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/svg+xml': 'svg',
  'image/jpeg': 'jpg',
  'image/x-icon': 'ico',
  'image/vnd.adobe.photoshop': 'psd',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
};

/** The extension of files of a type, without the dot. */
export function extensionOf(mimeType: string): string {
  return EXTENSIONS[mimeType] ?? /^[a-z]+\/(?:x-)?([a-z0-9]{2,5})$/.exec(mimeType)?.[1] ?? 'bin';
}
