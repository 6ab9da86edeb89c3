import { SwitchboardError } from '../../base/errors.ts';
import { isRecord, stableStringify } from '../../base/json.ts';
import type { ContentBlock, ToolCallResult } from '../../connection/connectionTypes.ts';
import { hidesSomething } from '../../base/invisible.ts';
import { cleanText, cutError } from './cleanText.ts';
import type { HookVerdict } from '../hooks/hookTypes.ts';

/** What a part was in the protocol, where its text or bytes aren't all of it: a block as it came, or structured content. */
export type PartOrigin = { readonly block: ContentBlock } | { readonly structured: unknown };

/** A part of a result as an agent takes it. `data` is raw bytes. */
export type ResultPart =
  | { readonly kind: 'text'; readonly text: string; readonly origin?: PartOrigin }
  | { readonly kind: 'data'; readonly mimeType: string; readonly data: Uint8Array; readonly origin?: PartOrigin };

/** The largest image or sound that is passed on, in bytes. */
export const MAX_DATA_BYTES = 5 * 1024 * 1024;

/**
 * What the model gets of a result (design: *Results*): text or structured content, never both; images and audio as data;
 * everything else described in words. What is invisible or controls a terminal is taken out of
 * texts or written out, and that is said.
 * @throws SwitchboardError `tool-error` where the tool says that it failed; its text is meant for the model
 */
export function resultParts(result: ToolCallResult, toolName: string, serverName?: string): readonly ResultPart[] {
  const parts = cleanParts(contentParts(result, serverName));
  if (!result.isError) return parts;
  const text = parts.map((part) => (part.kind === 'text' ? part.text : `(${part.mimeType})`)).join('\n');
  throw new SwitchboardError('tool-error', cutError(`${toolName} failed: ${text || 'no reason given.'}`));
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

function cleanParts(parts: readonly ResultPart[]): readonly ResultPart[] {
  if (parts.every((part) => part.kind === 'data' || !hidesSomething(part.text))) return parts;
  const notes = new Set<string>();
  const clean = parts.map((part): ResultPart => {
    if (part.kind === 'data') return part;
    const { text, note } = cleanText(part.text);
    if (note !== undefined) notes.add(note);
    return { ...part, text };
  });
  return [...clean, ...[...notes].map((text) => ({ kind: 'text' as const, text }))];
}

function contentParts(result: ToolCallResult, serverName: string | undefined): readonly ResultPart[] {
  const parts = result.content.map((block) => partOf(block, serverName));
  if (result.structuredContent === undefined) {
    return parts.length > 0 ? parts : [{ kind: 'text', text: '(the tool returned an empty result)' }];
  }
  const texts = parts.filter((part) => part.kind === 'text');
  const origin = { structured: result.structuredContent };
  const structured: ResultPart = { kind: 'text', text: JSON.stringify(result.structuredContent), origin };
  if (texts.every((part) => part.text.trim() === '') || isJsonOf(texts, result.structuredContent)) {
    return [structured, ...parts.filter((part) => part.kind === 'data')];
  }
  // The agent reads the text; programs get both.
  const carrier = texts.find(({ origin }) => origin === undefined) ?? texts[0];
  return parts.map((part) => (part === carrier ? { ...part, origin } : part));
}

function isJsonOf(texts: readonly { readonly text: string }[], value: unknown): boolean {
  if (texts.length !== 1) return false;
  try {
    return stableStringify(JSON.parse(texts[0]?.text ?? '')) === stableStringify(value);
  } catch {
    return false;
  }
}

function partOf(block: ContentBlock, serverName: string | undefined): ResultPart {
  const { type } = block;
  const origin = { block };
  if (type === 'text' && typeof block['text'] === 'string') {
    const text = block['text'];
    return 'annotations' in block || '_meta' in block ? { kind: 'text', text, origin } : { kind: 'text', text };
  }
  if ((type === 'image' || type === 'audio') && typeof block['data'] === 'string') {
    const mimeType = typeof block['mimeType'] === 'string' ? block['mimeType'] : 'application/octet-stream';
    const bytes = bytesOf(block['data']);
    if (bytes > MAX_DATA_BYTES) return { kind: 'text', text: `(${mimeType}, ${bytes} bytes: too large to include)` };
    return { kind: 'data', mimeType, data: Buffer.from(block['data'], 'base64'), origin };
  }
  if (type === 'resource_link') {
    const title = `Resource ${word(block['uri'])}${block['name'] ? ` (${word(block['name'])})` : ''}`;
    return { kind: 'text', text: `${title}${howToRead(block['uri'], serverName)}`, origin };
  }
  if (type === 'resource' && isRecord(block['resource'])) {
    const { uri, text, mimeType, blob } = block['resource'];
    if (typeof text === 'string') return { kind: 'text', text: `Resource ${word(uri)}:\n${text}`, origin };
    const title = `Resource ${word(uri)} (${word(mimeType) || 'binary'}), not shown`;
    const isWhole = typeof blob === 'string' && bytesOf(blob) <= MAX_DATA_BYTES;
    return { kind: 'text', text: `${title}${howToRead(uri, serverName)}`, ...(isWhole ? { origin } : {}) };
  }
  return { kind: 'text', text: `(a content block of unknown type "${type}" was omitted)` };
}

/** How many bytes a text in base64 stands for, at most. */
function bytesOf(base64: string): number {
  return Math.floor((base64.length * 3) / 4);
}

/** Resources are fetched on demand. */
function howToRead(uri: unknown, serverName: string | undefined): string {
  if (serverName === undefined || typeof uri !== 'string') return '';
  return `; read it with mcp_read_resource: ${JSON.stringify({ server: serverName, uri })}`;
}

function word(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
