import { readBase64 } from '../../base/data/base64.ts';
import { isRecord, type JsonObject } from '../../base/json/json.ts';
import { MAX_MEMBERS } from '../../base/json/readingLimits.ts';
import type { ContentBlock, ToolCallResult } from '../connectionTypes.ts';
import { cleanAnnotations } from './cleanItems.ts';
import { mapSteps, type Steps } from '../../base/timeSlices.ts';
import type { Tolerate } from '../protocol/guard/tolerances.ts';

type Members = Readonly<Record<string, unknown>>;

/** A result, a resource or a prompt has no more parts: nobody reads them. */
export const MAX_PARTS = 10_000;

/** A call's result, whatever it came as: content blocks, structured content, whether it failed. In steps. */
export function* cleanCallResult(given: unknown, tolerate: Tolerate): Steps<ToolCallResult> {
  const blocks = Array.isArray(given) && given.length > 0 && given.every(isBlock) ? { content: given } : given;
  if (!isRecord(blocks)) {
    if (blocks === undefined || blocks === null) return { content: [], isError: false };
    tolerate('result of another form');
    return { content: [textBlock(blocks)], isError: false };
  }
  if (blocks !== given) tolerate('result of another form');
  const { structuredContent, isError, _meta } = blocks;
  return {
    content: yield* cleanContent(blocks, tolerate),
    ...(structuredContent === undefined || structuredContent === null ? {} : { structuredContent }),
    isError: isError === true || isError === 'true' || isError === 1,
    ...(isRecord(_meta) ? { meta: _meta as JsonObject } : {}),
  };
}

function isBlock(value: unknown): boolean {
  return isRecord(value) && typeof value['type'] === 'string';
}

/** Members of a result that aren't its content. */
const AROUND: ReadonlySet<string> = new Set(['content', 'structuredContent', 'isError', '_meta', 'resultType']);

/** `toolResult` is how servers of 2024-10-07 answered. Without any content, what else there is is the content. */
function* cleanContent(raw: Members, tolerate: Tolerate): Steps<readonly ContentBlock[]> {
  const content = raw['content'] ?? ('toolResult' in raw ? [textBlock(raw['toolResult'])] : undefined);
  if (Array.isArray(content)) return yield* cleanBlocks(content, tolerate);
  if (content !== undefined) {
    tolerate('content of another form');
    return [cleanBlock(content, tolerate)];
  }
  const others = Object.entries(raw).filter(([key, value]) => !AROUND.has(key) && value !== null);
  if (others.length === 0 || (raw['structuredContent'] !== undefined && raw['structuredContent'] !== null)) return [];
  tolerate('result of another form');
  return [textBlock(Object.fromEntries(others))];
}

function* cleanBlocks(blocks: readonly unknown[], tolerate: Tolerate): Steps<readonly ContentBlock[]> {
  const clean = yield* mapSteps(blocks.slice(0, MAX_PARTS), (block) => cleanBlock(block, tolerate));
  const left = blocks.length - clean.length;
  return left > 0 ? [...clean, leftOutBlock(left, 'result')] : clean;
}

/** Says how many parts aren't there. */
export function leftOutBlock(count: number, whole: 'result' | 'prompt'): ContentBlock {
  return textBlock(`(${count} more parts of this ${whole} were left out: it may have ${MAX_PARTS})`);
}

/** Says how many members of objects aren't there. */
export function cutBlock(count: number): ContentBlock {
  return textBlock(`(${count} more members of this result were left out: an object may have ${MAX_MEMBERS})`);
}

const TYPES: ReadonlySet<string> = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);

/** A block as the protocol has it; one of another form by what it holds; an unknown one as it came. */
export function cleanBlock(block: unknown, tolerate: Tolerate): ContentBlock {
  if (!isRecord(block)) {
    tolerate('content of another form');
    return textBlock(block);
  }
  const given = block['type'];
  const type = typeof given === 'string' && TYPES.has(given) ? given : meantType(block, given);
  if (type !== given) tolerate('content of another form');
  if (type === undefined) return typeof given === 'string' ? withRightMembers(block as ContentBlock) : textBlock(block);
  const right = RIGHT[type]?.(block);
  if (right === undefined) {
    tolerate('content of another form');
    return textBlock(block);
  }
  if (right !== block && type === given) tolerate('content of another form');
  return withRightMembers({ ...right, type });
}

/** What a block without a known type is, by its members. */
function meantType(block: Members, given: unknown): string | undefined {
  if (given === 'image_url' || given === 'input_image') return 'image';
  if (typeof given === 'string' && TYPES.has(given.toLowerCase())) return given.toLowerCase();
  if (given !== undefined && given !== null) return undefined;
  if (typeof block['text'] === 'string') return 'text';
  if (isRecord(block['resource'])) return 'resource';
  const mime = block['mimeType'];
  if (typeof block['data'] === 'string' && typeof mime === 'string') return /^audio\//i.test(mime) ? 'audio' : 'image';
  return undefined;
}

/** What a block of each type must have; `undefined`: it doesn't. */
const RIGHT: Readonly<Record<string, (block: Members) => Members | undefined>> = {
  text: (block) => {
    const { text } = block;
    if (typeof text === 'string') return block;
    return text === undefined ? undefined : { ...block, text: text === null ? '' : textOf(text) };
  },
  image: withBytes,
  audio: withBytes,
  resource_link: (block) => (typeof block['uri'] === 'string' ? block : undefined),
  resource: (block) => {
    // The resource's members may stand in the block itself.
    const inner = isRecord(block['resource']) ? block['resource'] : block;
    const resource = cleanContents(inner, '');
    if (!resource) return undefined;
    return resource === block['resource'] ? block : { type: 'resource', resource };
  },
};

function withBytes(given: Members): Members | undefined {
  const block = asProtocols(given);
  const { data, mimeType } = block;
  const bytes = typeof data === 'string' ? data : typeof block['blob'] === 'string' ? block['blob'] : undefined;
  if (bytes === undefined) return undefined;
  if (bytes === data && typeof mimeType === 'string') return block;
  const type = [mimeType, block['mime_type'], block['mimetype']].find((each) => typeof each === 'string');
  return { ...block, data: bytes, mimeType: type ?? '' };
}

/** An image as the providers of models have it: bytes in `source`, or an address of `data:` in `image_url`. */
function asProtocols(block: Members): Members {
  const { source, image_url: address, ...rest } = block;
  if (isRecord(source) && typeof source['data'] === 'string' && block['data'] === undefined)
    return { ...rest, data: source['data'], mimeType: source['media_type'] ?? source['mimeType'] };
  const url = isRecord(address) ? address['url'] : address;
  const [, type, data] = (typeof url === 'string' && /^data:([\w.+-]+\/[\w.+-]+);base64,(.*)$/s.exec(url)) || [];
  return data === undefined ? block : { ...rest, data, mimeType: type };
}

function withRightMembers(block: ContentBlock): ContentBlock {
  const { annotations, _meta } = block;
  const isRight =
    (annotations === undefined || (isRecord(annotations) && cleanAnnotations(annotations) === annotations)) &&
    (_meta === undefined || isRecord(_meta));
  if (isRight) return block;
  const { annotations: _a, _meta: _m, ...rest } = block;
  return {
    ...rest,
    ...(isRecord(annotations) ? { annotations: cleanAnnotations(annotations) } : {}),
    ...(isRecord(_meta) ? { _meta } : {}),
  };
}

/**
 * A part of a resource's contents, with a text or with bytes in base64; the same object where it is right already.
 * @param uri what was asked for, where it doesn't say
 */
export function cleanContents(item: unknown, uri: string): Members | undefined {
  if (typeof item === 'string') return { uri, text: item };
  if (!isRecord(item)) return undefined;
  const { text, blob, mimeType, _meta, ...rest } = item;
  const base = {
    ...rest,
    uri: typeof item['uri'] === 'string' ? item['uri'] : uri,
    ...(typeof mimeType === 'string' ? { mimeType } : {}),
    ...(isRecord(_meta) ? { _meta } : {}),
  };
  const isRight =
    typeof item['uri'] === 'string' &&
    (mimeType === undefined || typeof mimeType === 'string') &&
    (_meta === undefined || isRecord(_meta));
  if (typeof blob === 'string' && typeof text !== 'string') {
    const read = readBase64(blob);
    // What isn't base64 is a text.
    if (!read) return { ...base, text: blob };
    return isRight && read.base64 === blob ? item : { ...base, blob: read.base64 };
  }
  if (typeof text === 'string') return isRight && blob === undefined ? item : { ...base, text };
  return text === undefined || text === null ? undefined : { ...base, text: textOf(text) };
}

export function textBlock(value: unknown): ContentBlock {
  return { type: 'text', text: textOf(value) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
