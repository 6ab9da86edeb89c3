import { SwitchboardError } from '../../base/errors.ts';
import { isRecord } from '../../base/json/json.ts';
import type { ContentBlock, ToolCallResult } from '../../connection/connectionTypes.ts';
import { hidesSomething } from '../../base/text/showInvisible.ts';
import { jsonTextSteps } from '../../base/json/jsonPieces.ts';
import { mapSteps, type Steps } from '../../base/timeSlices.ts';
import { cleanTextSteps, cutError } from './cleanText.ts';
import { MAX_DATA_BYTES, shownData, type UnshownFile } from '../../base/data/dataForModels.ts';
import { jsonOf, saysAll } from './structuredText.ts';
import type { HookVerdict } from '../hooks/hookTypes.ts';

/** A longer text is cleaned in steps, in UTF-16 units. */
const MAX_PLAIN = 16 * 1024;

/** What a part was in the protocol, where its text or bytes aren't all of it. */
export type PartOrigin =
  /** A block as it came. */
  | { readonly block: ContentBlock }
  /** Structured content. */
  | { readonly structured: unknown }
  /** Structured content that programs get without this part. */
  | { readonly structured: unknown; readonly isAdded: true }
  /** The part before is the whole block for programs. */
  | { readonly isWithin: true };

/** A part of a result as an agent takes it. `data` is raw bytes. */
export type ResultPart =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly origin?: PartOrigin;
      /** Bytes that the text stands for; they are stored before the part is shown. */
      readonly file?: UnshownFile;
    }
  | { readonly kind: 'data'; readonly mimeType: string; readonly data: Uint8Array; readonly origin?: PartOrigin };

/**
 * What the model gets of a result: texts, structured content where no text has it already, images and audio as data,
 * blocks of unknown types as JSON, everything else described in words. What is invisible or controls a terminal is taken out of
 * texts or written out, and that is said. In steps.
 * @throws SwitchboardError `tool-error` where the tool says that it failed; its text is meant for the model
 */
export function* resultParts(
  result: ToolCallResult,
  toolName: string,
  serverName?: string,
): Steps<readonly ResultPart[]> {
  const plain = plainText(result);
  if (plain !== undefined) return [{ kind: 'text', text: plain }];
  const parts = yield* cleanParts(yield* contentParts(result, serverName));
  if (!result.isError) return parts;
  const text = parts.map((part) => (part.kind === 'text' ? part.text : `(${part.mimeType})`)).join('\n');
  throw new SwitchboardError('tool-error', cutError(`${toolName} failed: ${text || 'no reason given.'}`));
}

/** Most results are one short text, of which nothing has to be said. */
function plainText({ content, structuredContent, isError }: ToolCallResult): string | undefined {
  const [only] = content;
  if (!only || content.length > 1 || isError || structuredContent !== undefined) return undefined;
  const { type, text } = only;
  const isPlain = type === 'text' && typeof text === 'string' && text.length <= MAX_PLAIN && !hidesSomething(text);
  return isPlain && !('annotations' in only) && !('_meta' in only) ? text : undefined;
}

/** What hooks made of a result after the call. */
export function withVerdict(
  parts: readonly ResultPart[],
  { output, note, decision, reason }: HookVerdict,
): readonly ResultPart[] {
  if (output === undefined && note === undefined && decision !== 'deny') return parts;
  const kept: readonly ResultPart[] = output === undefined ? parts : [{ kind: 'text', text: output }];
  const notes = [
    note,
    decision === 'deny' ? `(a hook rejected this result: ${reason ?? 'no reason given'})` : undefined,
  ];
  return [...kept, ...notes.filter((text) => text !== undefined).map((text) => ({ kind: 'text' as const, text }))];
}

function* cleanParts(parts: readonly ResultPart[]): Steps<readonly ResultPart[]> {
  const notes = new Set<string>();
  const clean: ResultPart[] = [];
  for (const part of parts) {
    const { text, note } = part.kind === 'text' ? yield* cleanTextSteps(part.text) : {};
    if (note !== undefined) notes.add(note);
    clean.push(part.kind === 'data' || text === undefined || text === part.text ? part : { ...part, text });
  }
  return [...clean, ...[...notes].map((text) => ({ kind: 'text' as const, text }))];
}

function* contentParts(result: ToolCallResult, serverName: string | undefined): Steps<readonly ResultPart[]> {
  const parts = (yield* mapSteps(result.content, (block) => partsOf(block, serverName))).flat();
  const { structuredContent } = result;
  if (structuredContent === undefined) {
    return parts.length > 0 ? parts : [{ kind: 'text', text: '(the tool returned an empty result)' }];
  }
  const texts = parts.filter((part) => part.kind === 'text');
  const origin = { structured: structuredContent };
  const asText = (text: string): readonly ResultPart[] => [
    { kind: 'text', text, origin },
    ...parts.filter((part) => part.kind === 'data'),
  ];
  if (texts.every((part) => part.text.trim() === '')) return asText(yield* jsonTextSteps(structuredContent));
  const same = yield* jsonOf(texts, structuredContent);
  if (same !== undefined) return asText(same);
  if (!saysAll(texts, structuredContent)) {
    const added = { structured: structuredContent, isAdded: true } as const;
    return [...parts, { kind: 'text', text: yield* jsonTextSteps(structuredContent), origin: added }];
  }
  // The agent reads the text; programs get both.
  const carrier = texts.find(({ origin: own }) => own === undefined) ?? texts[0];
  return parts.map((part) => (part === carrier ? { ...part, origin } : part));
}

function partsOf(block: ContentBlock, serverName: string | undefined): readonly ResultPart[] {
  const { type } = block;
  const origin = { block };
  if (type === 'text' && typeof block['text'] === 'string') {
    const text = block['text'];
    return ['annotations' in block || '_meta' in block ? { kind: 'text', text, origin } : { kind: 'text', text }];
  }
  if ((type === 'image' || type === 'audio') && typeof block['data'] === 'string') return dataParts(block);
  if (type === 'resource_link') {
    return [{ kind: 'text', text: `${linkText(block)}${howToRead(block['uri'], serverName)}`, origin }];
  }
  if (type === 'resource' && isRecord(block['resource'])) return resourceParts(block, block['resource'], serverName);
  return [{ kind: 'text', text: JSON.stringify(block) }];
}

/** All that a link says of what it leads to. */
function linkText({ uri, name, title, description, mimeType, size }: ContentBlock): string {
  const bytes = typeof size === 'number' && size >= 0 ? `${size} bytes` : '';
  const facts = [word(title) || word(name), word(mimeType), bytes].filter((fact) => fact !== '');
  const about = word(description) === '' ? '' : `: ${word(description)}`;
  return `Resource ${word(uri)}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}${about}`;
}

function dataParts(block: ContentBlock): readonly ResultPart[] {
  const { data: given, mimeType: stated } = block;
  const shown = shownData(word(given), word(stated));
  if (shown.kind === 'text') return [shown];
  const { mimeType, data, base64 } = shown;
  const type = mimeType.startsWith('audio/') ? 'audio' : 'image';
  const isSame = mimeType === stated && base64 === given && type === block.type;
  const right = isSame ? block : { ...block, type, data: base64, mimeType };
  return [{ kind: 'data', mimeType, data, origin: { block: right } }];
}

/** An embedded resource: its text, or its bytes as a block of them is shown. */
function resourceParts(
  block: ContentBlock,
  { uri, text, mimeType, blob }: Record<string, unknown>,
  serverName: string | undefined,
): readonly ResultPart[] {
  const origin = { block };
  const title = `Resource ${word(uri)}`;
  if (typeof text === 'string') return [{ kind: 'text', text: `${title}:\n${text}`, origin }];
  const shown = shownData(word(blob), word(mimeType));
  const isWhole = (word(blob).length * 3) / 4 <= MAX_DATA_BYTES;
  const kept = isWhole ? { origin } : {};
  if (shown.kind === 'data') {
    return [
      { kind: 'text', text: `${title} (${shown.mimeType}):`, ...kept },
      { kind: 'data', mimeType: shown.mimeType, data: shown.data, ...(isWhole ? { origin: { isWithin: true } } : {}) },
    ];
  }
  const { file } = shown;
  const how = file ? howToRead(uri, serverName) : '';
  return [{ kind: 'text', text: `${title} ${shown.text}${how}`, ...kept, ...(file ? { file } : {}) }];
}

/** Resources are fetched on demand. */
function howToRead(uri: unknown, serverName: string | undefined): string {
  if (serverName === undefined || typeof uri !== 'string') return '';
  return `; read it with mcp_read_resource: ${JSON.stringify({ server: serverName, uri })}`;
}

function word(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
