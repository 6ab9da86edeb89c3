import { readBase64 } from './base64.ts';
import { extensionOf, mediaTypeOf, textIn } from './mediaType.ts';

/** The images that the models' providers take; any other one makes them refuse the whole request. */
const FOR_MODELS: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Whether a model can be shown an image of this type. */
function isForModels(mimeType: string): boolean {
  return FOR_MODELS.has(mimeType);
}

/** The largest image or sound that is passed on, in bytes. */
export const MAX_DATA_BYTES = 5 * 1024 * 1024;
/** How much is shown of a text that came as an image, in characters. */
const MAX_TEXT_CHARS = 20_000;

/** Bytes that a model isn't shown, for a file. */
export interface UnshownFile {
  readonly data: Uint8Array;
  readonly extension: string;
}

/** How bytes of a result reach the model. */
export type ShownData =
  | { readonly kind: 'data'; readonly mimeType: string; readonly data: Uint8Array; readonly base64: string }
  /** A text that says what there is; a file holds the bytes. */
  | { readonly kind: 'text'; readonly text: string; readonly file?: UnshownFile };

/**
 * How bytes that came as base64 are shown: images and sounds by what their bytes are, whatever type the server says; images
 * that models refuse as text or as a file. Pure.
 * @param stated the type that the server says
 */
export function shownData(given: string, stated: string): ShownData {
  const read = readBase64(given);
  const type = (read?.mimeType ?? stated).trim().toLowerCase().split(';')[0] || 'application/octet-stream';
  if (!read) return { kind: 'text', text: `(${type} whose data isn't base64)\n${given.slice(0, MAX_TEXT_CHARS)}` };
  const data = Buffer.from(read.base64, 'base64');
  return shownBytes(data, type, read.base64);
}

/** The same of bytes. */
export function shownBytes(data: Uint8Array, stated: string, base64?: string): ShownData {
  if (data.length === 0) return { kind: 'text', text: `(${stated} without any bytes)` };
  const found = mediaTypeOf(data);
  const mimeType = found ?? stated;
  const isSound = mimeType.startsWith('audio/') && stated.startsWith('audio/');
  if (data.length <= MAX_DATA_BYTES && (isForModels(found ?? '') || isSound)) {
    return { kind: 'data', mimeType, data, base64: base64 ?? Buffer.from(data).toString('base64') };
  }
  const text = found === undefined || found === 'image/svg+xml' ? textIn(data) : undefined;
  if (text !== undefined && data.length <= MAX_DATA_BYTES) {
    const about = found === undefined && /^(?:image|audio)\//.test(stated) ? `${stated} that is text` : mimeType;
    return {
      kind: 'text',
      text: `(${about})\n${text.slice(0, MAX_TEXT_CHARS)}`,
      ...(text.length > MAX_TEXT_CHARS ? { file: { data, extension: extensionOf(mimeType) } } : {}),
    };
  }
  return {
    kind: 'text',
    text: `(${mimeType}, ${data.length} bytes, ${whyNot(data.length, found, stated)})`,
    file: { data, extension: extensionOf(mimeType) },
  };
}

function whyNot(bytes: number, found: string | undefined, stated: string): string {
  if (bytes > MAX_DATA_BYTES && (found === undefined || isForModels(found))) return 'too large to show';
  if (found?.startsWith('image/')) return 'a format that models can’t see';
  return found === undefined && stated.startsWith('image/') ? 'no image that can be decoded' : 'not shown';
}
