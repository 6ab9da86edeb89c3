import { stillSize } from '../../base/data/imageSize.ts';
import { mediaTypeOf } from '../../base/data/mediaType.ts';
import { readBase64 } from '../../base/data/base64.ts';

/** What an icon may have, in bytes. */
export const MAX_ICON_BYTES = 64 * 1024;
/** What it may have in each direction once it is decoded: few bytes can be many pixels. */
const MAX_SIDE = 1024;

/** A picture that can be drawn as it is. */
export interface DrawableIcon {
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

/**
 * The icon in bytes that a server gave, if it is one to be drawn: PNG, JPEG or WebP by its bytes, whatever type was said, that
 * doesn't move. No SVG: it can have scripts, styles and references. Pure.
 */
export function drawableIcon(bytes: Uint8Array): DrawableIcon | undefined {
  if (bytes.length > MAX_ICON_BYTES) return undefined;
  const mimeType = mediaTypeOf(bytes);
  const size = mimeType === undefined ? undefined : stillSize(bytes, mimeType);
  if (mimeType === undefined || !size) return undefined;
  const isFitting = [size.width, size.height].every((side) => side > 0 && side <= MAX_SIDE);
  return isFitting ? { mimeType, data: Buffer.from(bytes).toString('base64') } : undefined;
}

/** The same of a `data:` URL. */
export function iconInDataUrl(url: string): DrawableIcon | undefined {
  const read = /^data:[^,]*;base64,/i.test(url) ? readBase64(url) : undefined;
  return read && drawableIcon(Buffer.from(read.base64, 'base64'));
}
