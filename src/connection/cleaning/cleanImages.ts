import { readBase64 } from '../../base/data/base64.ts';
import { mediaTypeOf } from '../../base/data/mediaType.ts';
import { shownData } from '../../base/data/dataForModels.ts';
import type { ContentBlock } from '../connectionTypes.ts';
import type { Tolerate } from '../protocol/guard/tolerances.ts';

type Members = Readonly<Record<string, unknown>>;

/** How much of bytes is looked at, in characters of base64. */
const HEAD_CHARS = 4096;

/** A block of a prompt: an image or a sound by its bytes, as one that a call gives; what models refuse is a text. */
export function shownBlock(block: ContentBlock, tolerate: Tolerate): ContentBlock {
  const { type, data, mimeType } = block;
  if ((type !== 'image' && type !== 'audio') || typeof data !== 'string') return block;
  const shown = shownData(data, typeof mimeType === 'string' ? mimeType : '');
  if (shown.kind === 'text') return { type: 'text', text: shown.text };
  if (shown.base64 === data && shown.mimeType === mimeType) return block;
  tolerate('content of another form');
  return { ...block, data: shown.base64, mimeType: shown.mimeType };
}

/** A part of a resource: the type of an image goes by its bytes. */
export function typedContents(item: Members, tolerate: Tolerate): Members {
  const { blob, mimeType } = item;
  if (typeof blob !== 'string') return item;
  if (typeof mimeType === 'string' && !/^(?:image\/|application\/octet-stream$)/i.test(mimeType)) return item;
  const head = readBase64(blob.slice(0, HEAD_CHARS))?.base64 ?? '';
  const found = mediaTypeOf(Buffer.from(head.slice(0, head.length - (head.length % 4)), 'base64'));
  if (found === undefined || found === mimeType || !found.startsWith('image/')) return item;
  if (mimeType !== undefined) tolerate('content of another form');
  return { ...item, mimeType: found };
}
